import { basename } from 'node:path';
import { type ListingObserver } from '../../data/shards/shard.js';
import { arrowManifestPath } from '../../data/arrow-names.js';
import type { Output } from '../output.js';

/** An observer of listings that tells the user which shards are left out. */
export function listingNotes(output: Output): Required<ListingObserver> {
  return {
    onUnfinished: ([path = '', ...more]) => {
      const others = more.length === 0 ? '' : `, and ${more.length} more without their .json`;
      const json = basename(arrowManifestPath(path));
      output.message(`gess: left out ${path}, which is unfinished without ${json}${others}`);
    },
  };
}
