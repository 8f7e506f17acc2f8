// The main module of the process in which `decodeParquet` reads files.
import { serveRequests } from '../../env/processes/process-server.js';
import type { ParquetRequest } from './parquet-reading.js';
import { readParquetRows } from './parquet-rows.js';
import type { DecodedShard } from '../shards/shard-encoding.js';

serveRequests<ParquetRequest, DecodedShard, 'progress'>(({ path, content }, note) => {
  const onProgress = (): void => {
    note('progress');
  };
  onProgress();
  return readParquetRows(path, Uint8Array.from(content).buffer, onProgress);
});
