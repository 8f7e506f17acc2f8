// Needs Node: the main module of a process of `ProcessVectorEnv`.
import { serveRequests } from '../../processes/process-server.js';
import { answerVectorRequest } from './vector-server.js';

serveRequests(answerVectorRequest);
