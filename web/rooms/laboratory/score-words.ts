/** A share in whole percent: `95 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Minutes and seconds: `2:05`. */
export function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
