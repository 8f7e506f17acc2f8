import { writeOutputFile } from '../../data/files/output-file.js';
import type { Ladder } from '../../training/matches/ladder/ladder-file.js';
import type { Standings } from '../../training/matches/ladder/standings.js';
import { ladderImage, ladderPage } from './ladder-section.js';

/** Files of a ladder to write; those that are undefined are not written. */
export interface LadderFiles {
  readonly svg?: string | undefined;
  readonly html?: string | undefined;
  readonly overwrite?: boolean | undefined;
}

/** Writes the picture and the page of a ladder. */
export async function writeLadderFiles(
  standings: Standings,
  { game, anchor }: Ladder,
  { svg, html, overwrite }: LadderFiles,
): Promise<void> {
  if (svg !== undefined) await writeOutputFile(svg, ladderImage(standings), overwrite);
  if (html === undefined) return;
  const title = `Ladder of ${game.id}, ${game.rules}`;
  await writeOutputFile(html, ladderPage(title, standings, anchor), overwrite);
}
