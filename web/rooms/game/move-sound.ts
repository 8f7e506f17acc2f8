import type { MoveEffect } from '../../board/move-effect.js';

let context: AudioContext | undefined;

/** The sound of a stone put down: a short, falling tone. */
function knock(at: number, frequency: number, volume: number): void {
  const [tone, gain] = [context!.createOscillator(), context!.createGain()];
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(frequency, at);
  tone.frequency.exponentialRampToValueAtTime(frequency / 3, at + 0.07);
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.09);
  tone.connect(gain).connect(context!.destination);
  tone.start(at);
  tone.stop(at + 0.1);
}

/**
 * The sound of a move: one knock, and another for a capture. Browsers are silent before the first click on a
 * page.
 */
export function playMoveSound({ captured }: MoveEffect): void {
  context ??= new AudioContext();
  const now = context.currentTime;
  knock(now, 420, 0.25);
  if (captured.length > 0) knock(now + 0.07, 260, 0.3);
}
