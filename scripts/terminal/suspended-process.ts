/**
 * Stops the process as Ctrl-Z does, and returns when it goes on. A process that no shell could continue is not stopped
 * by the system: then it returns at once.
 */
export function suspendProcess(): void {
  // The signal stops a process only where nothing listens to it.
  const listeners = process.listeners('SIGTSTP');
  process.removeAllListeners('SIGTSTP');
  process.kill(process.pid, 'SIGTSTP');
  for (const listener of listeners) process.on('SIGTSTP', listener);
}
