/** What the numbers of a game's network mean, in words, for those who use a model without this program. */
export interface EncodingDescription {
  /** One text a plane of `observe`, in order. */
  readonly planes: readonly string[];
  /** Which way the board lies in the planes. */
  readonly orientation: string;
  /** How policy indices number the moves. */
  readonly policy: string;
  /** Planes that say who holds each square: 1 in one of them where a side has a piece. */
  readonly holders: { readonly own: readonly number[]; readonly opponent: readonly number[] };
  /** Planes of each side's rings; undefined where the game has none. */
  readonly rings?: { readonly own: number; readonly opponent: number };
}

const ENCODINGS: Readonly<Record<string, EncodingDescription>> = {
  gess: {
    planes: [
      'own stones',
      "the opponent's stones",
      'the 18 x 18 squares of the board',
      'all nine squares of own rings',
      "all nine squares of the opponent's rings",
      'footprint of the last move before it',
      'footprint of the last move after it',
      'footprint of the move before the last, before it',
      'footprint of the move before the last, after it',
      'everywhere: ply / 256, at most 1',
      'everywhere: ply / ply limit (300), at most 1',
      'everywhere: this board with this player to move occurred before in the game',
      "rule, everywhere: a piece's centre may be off the board before a move",
      "rule, everywhere: a piece's centre may be off the board after a move",
      "rule, everywhere: edge 'enter'",
      "rule, everywhere: edge 'stone'",
      "rule, everywhere: edge 'strict'",
      'rule, everywhere: suicide is illegal',
      "rule, everywhere: ko 'simple'",
      "rule, everywhere: ko 'superko'",
    ],
    orientation:
      'Own means of the player to move. Row 0 is rank 1 and column 0 file a if Black is to move; for White the ranks are mirrored: row 0 is rank 20.',
    policy:
      "index = ((row * 20 + column) * 8 + direction) * 18 + distance - 1, with row and column of the piece's centre as in the planes; directions 0-7 are N NE E SE S SW W NW, N towards higher rows; distance 1-18.",
    holders: { own: [0], opponent: [1] },
    rings: { own: 3, opponent: 4 },
  },
  quess: {
    planes: [
      'own triangles',
      'own circles',
      'own squares',
      "the opponent's triangles",
      "the opponent's circles",
      "the opponent's squares",
      'own starting zone',
      "the opponent's starting zone",
      'start of the last move',
      'end of the last move',
      'start of the move before the last',
      'end of the move before the last',
      'starts of moves that superko bars now',
      'ends of moves that superko bars now',
      'everywhere: ply / 128, at most 1',
      'everywhere: ply / ply limit (300), at most 1',
      "everywhere: time left to the player to move, as a share of the rules' time; 0 without clocks",
      'everywhere: the same of the opponent',
      'rule, everywhere: there are clocks',
      'ones',
    ],
    orientation:
      'Own means of the player to move. If light is to move, row 0 is row F and column 0 column 1; for dark the board is turned by half a turn: row 0 is row A, column 0 column 6.',
    policy:
      'index = (row * 6 + column) * 28 + plane, with row and column of the piece as in the planes; planes 0-19 are direction * 5 + distance - 1, directions 0-3 being N E S W, N towards higher rows, and distance 1-5; planes 20-27 are hops by (rows, columns) (2,1) (1,2) (-1,2) (-2,1) (-2,-1) (-1,-2) (1,-2) (2,-1).',
    holders: { own: [0, 1, 2], opponent: [3, 4, 5] },
  },
  'connect-four': {
    planes: ['own stones', "the opponent's stones", 'ones'],
    orientation: 'Own means of the player to move. Row 0 is the bottom, column 0 the left.',
    policy: 'index = the column that a stone is dropped into, 0-6.',
    holders: { own: [0], opponent: [1] },
  },
};

/** The description for the game with this id; undefined where there is none. */
export function describeEncoding(gameId: string): EncodingDescription | undefined {
  return Object.hasOwn(ENCODINGS, gameId) ? ENCODINGS[gameId] : undefined;
}
