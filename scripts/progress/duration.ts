/** `3 h 20 min`, `12 min`, `40 s`; `∞` without end, at a rate of almost 0. */
export function formatDuration(seconds: number): string {
  if (seconds === Infinity) return '∞';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `0:07`, `12:40`, `3:20:05`: changes every second, so people see that the work goes on. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  const start = minutes < 60 ? String(minutes) : `${Math.floor(minutes / 60)}:${two(minutes)}`;
  return `${start}:${two(whole)}`;
}
