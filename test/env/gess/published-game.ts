/** Bolchover - Michaels, published in Eureka 53; one move, 13... c17-c7, goes a square too far. */
export const PUBLISHED_GAME = `
  f6-f7 p15-m12  e3-e6 p18-p15  b3-e3 e15-h12  m6-l7 m12-j9  i6-i7 h15-k12  i7-i10 m15-j12
  o6-o7 s18-p18  p7-m10 k18-k12  j3-j10 k13-j12  j9-j10 q15-r14  e6-h6 j13-j12  j9-j10 c13-c15
  j10-k11 c17-c7  g3-j3 h18-k18  k11-i13 k18-k15  m3-m13 b7-e4  j3-m3 r14-o11  r8-r6 o11-j6
`;

/** The index of its first illegal move, from 0. */
export const PUBLISHED_ILLEGAL_PLY = 25;
