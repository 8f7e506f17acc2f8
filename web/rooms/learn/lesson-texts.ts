import type { Lesson } from './lesson-list.js';

/** A step of the lessons: words beside a diagram of docs/reference/rules.md. */
export interface LessonText extends Omit<Lesson, 'position'> {
  /** Rule that the diagram illustrates, and its index among the diagrams of that rule, from 0. */
  readonly rule: string;
  readonly diagram: number;
}

/** The lessons, in the order in which they are taught. */
export const LESSONS: readonly LessonText[] = [
  {
    rule: '1.2',
    diagram: 0,
    title: 'Two players, 43 stones each',
    text: 'The stones stand on 18 × 18 squares. The squares around them stay empty; they only give names to centres of pieces at the edge. Black begins.',
    task: 'Black’s one ring is around l3, White’s around l18: eight stones around an empty square. They are all that matters in the end.',
  },
  {
    rule: '2.1',
    diagram: 0,
    title: 'A piece is a 3 × 3 square',
    text: 'Any 3 × 3 square that holds at least one stone of yours, and none of the opponent’s, is a piece of yours. It is named by its centre. One stone can belong to nine pieces.',
    task: 'Point at squares to see their footprints. d7 is no piece of Black’s: it would hold the white stone on e6.',
  },
  {
    rule: '2.2',
    diagram: 0,
    title: 'Its stones say where it goes',
    text: 'A stone on an outer square of the piece lets it move in that direction. With a stone in its centre it goes as far as it likes, without one at most three squares.',
    task: 'The piece e5 has a stone in its centre: see how far it reaches. Then choose l5, which has none.',
    piece: 'e5',
  },
  {
    rule: '2.3',
    diagram: 0,
    title: 'It stops at what it meets',
    text: 'All its stones move together. As soon as the footprint covers another stone, of either colour, the move ends, and every stone under the footprint that is not its own is captured: your own too.',
    task: 'Move e5 to e8: it captures d9 and f9.',
    piece: 'e5',
  },
  {
    rule: '2.3',
    diagram: 1,
    title: 'Its own stones are no obstacle',
    text: 'The stones that started inside the footprint are the piece itself. They neither stop it nor are captured.',
    task: 'Move e5 to f5.',
    piece: 'e5',
  },
  {
    rule: '2.4',
    diagram: 0,
    title: 'The edge takes stones',
    text: 'Stones that a move pushes off the board are lost.',
    task: 'Move e17 to e19, and see what is left of it.',
    piece: 'e17',
  },
  {
    rule: '3.1',
    diagram: 0,
    title: 'Rings',
    text: 'A ring is eight stones of one colour around an empty square. You may make more than one, and they may share stones. With a stone of either colour inside, it is no ring.',
    task: 'Each ring has a small circle in its centre. Why is there none on n9 and p4?',
  },
  {
    rule: '3.3',
    diagram: 0,
    title: 'Break the last ring',
    text: 'If your opponent has no ring after your move, you have won. Any captured stone of the ring breaks it.',
    task: 'Black wins in one move: i9 goes down to i7.',
    piece: 'i9',
  },
  {
    rule: '3.2',
    diagram: 0,
    title: 'Mind your own',
    text: 'If you have no ring after your own move, you have lost, even if you break the last ring of the opponent with it.',
    task: 'The left side of Black’s ring, d5, can go to d9. It breaks both rings, and so loses.',
    piece: 'd5',
  },
];
