/**
 * Node's options for processes that play. Their trees and caches are arrays outside V8's heap, whose size made V8
 * collect all of its 30 MB about once a second, on threads beside the game. With them it waits for 128 MiB of older
 * objects.
 */
export const PLAYER_NODE_OPTIONS: readonly string[] = ['--initial-old-space-size=128'];
