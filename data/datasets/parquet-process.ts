// The main module of the process in which `decodeParquet` reads files.
import { serveRequests } from '../../env/processes/process-server.js';
import type { ParquetNote, ParquetRequest } from './parquet-reading.js';
import { readParquetRows } from './parquet-rows.js';
import type { DecodedShard } from '../shards/shard-encoding.js';

serveRequests<ParquetRequest, DecodedShard, ParquetNote>(({ path, content }, note) => {
  note('begins');
  return readParquetRows(path, Uint8Array.from(content).buffer, (rows) => {
    note({ rows });
  });
});
