// A straightforward first implementation of Gess by the rules `eureka`: one byte per square, boards copied, every step
// of every move walked, moves in a vector that is counted at the last ply. `gess bench perft` compares with it.
//
//   g++ -O3 -march=native -o naive-perft naive-perft.cpp && ./naive-perft 3
//
// Prints the number of positions and the seconds that counting took.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int SIZE = 20;
constexpr int ROW_STEPS[8] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int COLUMN_STEPS[8] = {0, 1, 1, 1, 0, -1, -1, -1};
const char *const BLACK_RANKS[6] = {".x.x.xxxxxxxx.x.x.", "xxx.x.xxxx.x.x.xxx", ".x.x.xxxxxxxx.x.x.",
                                    "..................", "..................", ".x..x..x..x..x..x."};

struct Move {
  int row, column, direction, distance;
};

struct Position {
  // Squares with a border of one around the twenty rows and columns: 0 empty, 1 Black, 2 White.
  signed char squares[SIZE + 2][SIZE + 2] = {};
  int mover = 1;

  signed char &at(int row, int column) { return squares[row + 1][column + 1]; }
  signed char at(int row, int column) const { return squares[row + 1][column + 1]; }
};

bool isOnGrid(int row, int column) { return row >= 1 && row <= 18 && column >= 1 && column <= 18; }

bool isPiece(const Position &position, int row, int column) {
  bool hasOwn = false;
  for (int i = -1; i <= 1; i++) {
    for (int j = -1; j <= 1; j++) {
      const int stone = position.at(row + i, column + j);
      if (stone == 3 - position.mover) return false;
      if (stone == position.mover) hasOwn = true;
    }
  }
  return hasOwn;
}

/** Whether a footprint covers a stone that did not start in the piece's. */
bool meetsStone(const Position &position, int row, int column, const Move &move) {
  for (int i = row - 1; i <= row + 1; i++) {
    for (int j = column - 1; j <= column + 1; j++) {
      const bool isOwnStart = std::abs(i - move.row) <= 1 && std::abs(j - move.column) <= 1;
      if (!isOwnStart && position.at(i, j) != 0) return true;
    }
  }
  return false;
}

void listMoves(const Position &position, std::vector<Move> &moves) {
  moves.clear();
  for (int row = 0; row < SIZE; row++) {
    for (int column = 0; column < SIZE; column++) {
      if (!isPiece(position, row, column)) continue;
      const int farthest = position.at(row, column) != 0 ? 18 : 3;
      for (int direction = 0; direction < 8; direction++) {
        const int up = ROW_STEPS[direction], right = COLUMN_STEPS[direction];
        if (position.at(row + up, column + right) == 0) continue;
        for (int distance = 1; distance <= farthest; distance++) {
          const int endRow = row + distance * up, endColumn = column + distance * right;
          if (endRow < 0 || endRow >= SIZE || endColumn < 0 || endColumn >= SIZE) break;
          moves.push_back({row, column, direction, distance});
          if (meetsStone(position, endRow, endColumn, moves.back())) break;
        }
      }
    }
  }
}

Position play(Position position, const Move &move) {
  signed char piece[3][3];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      signed char &square = position.at(move.row + i - 1, move.column + j - 1);
      piece[i][j] = square;
      square = 0;
    }
  }
  const int row = move.row + move.distance * ROW_STEPS[move.direction];
  const int column = move.column + move.distance * COLUMN_STEPS[move.direction];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      if (isOnGrid(row + i - 1, column + j - 1)) position.at(row + i - 1, column + j - 1) = piece[i][j];
    }
  }
  position.mover = 3 - position.mover;
  return position;
}

bool hasRing(const Position &position, int color) {
  for (int row = 2; row <= 17; row++) {
    for (int column = 2; column <= 17; column++) {
      bool isRing = position.at(row, column) == 0;
      for (int direction = 0; isRing && direction < 8; direction++) {
        isRing = position.at(row + ROW_STEPS[direction], column + COLUMN_STEPS[direction]) == color;
      }
      if (isRing) return true;
    }
  }
  return false;
}

bool isOver(const Position &position) { return !hasRing(position, 1) || !hasRing(position, 2); }

long long countPositions(const Position &position, int depth) {
  if (isOver(position)) return 0;
  std::vector<Move> moves;
  listMoves(position, moves);
  if (depth == 1) return static_cast<long long>(moves.size());
  long long positions = 0;
  for (const Move &move : moves) positions += countPositions(play(position, move), depth - 1);
  return positions;
}

int main(int count, char **arguments) {
  Position start;
  for (int rank = 0; rank < 6; rank++) {
    for (int file = 0; file < 18; file++) {
      if (BLACK_RANKS[rank][file] == '.') continue;
      start.at(rank + 1, file + 1) = 1;
      start.at(18 - rank, file + 1) = 2;
    }
  }
  const int depth = count > 1 ? std::atoi(arguments[1]) : 3;
  const auto begin = std::chrono::steady_clock::now();
  const long long positions = countPositions(start, depth);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%lld %.6f\n", positions, seconds.count());
}
