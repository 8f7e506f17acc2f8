/** Euclidean norm of a vector. */
export function norm(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return Math.sqrt(sum);
}

/** Scales `gradient` in place to norm `maxNorm` if it is longer (Pascanu et al. 2013); returns its original norm. */
export function clipNorm(gradient: Float32Array, maxNorm: number): number {
  const length = norm(gradient);
  if (length > maxNorm) {
    const scale = maxNorm / length;
    for (let i = 0; i < gradient.length; i++) gradient[i] = gradient[i]! * scale;
  }
  return length;
}
