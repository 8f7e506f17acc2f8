/**
 * Node's options for processes that play. V8 collected the whole heap of such a process, 30 MB, about once a second. A
 * higher first limit makes these collections rarer.
 */
export const PLAYER_NODE_OPTIONS: readonly string[] = ['--initial-old-space-size=128'];
