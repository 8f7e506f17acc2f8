/**
 * The systemd unit that runs a pool's server, for `systemctl --user` or system-wide.
 *
 * @param folder absolute path of the folder with the server's configuration.
 */
export function systemdUnit(folder: string): string {
  // systemd expands % and interprets quotes in paths.
  const path = folder.replaceAll('%', '%%').replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return [
    '[Unit]',
    'Description=NATS server of a pool of gess',
    'After=network-online.target',
    '',
    '[Service]',
    `WorkingDirectory=${folder.replaceAll('%', '%%')}`,
    `ExecStart=/usr/bin/env nats-server -c "${path}/nats.conf"`,
    'ExecReload=/bin/kill -HUP $MAINPID',
    'Restart=always',
    'RestartSec=2',
    'NoNewPrivileges=yes',
    'LimitNOFILE=65536',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** A compose file that runs a pool's server; it belongs beside the folder `server`. */
export function composeFile(ports: readonly number[]): string {
  return [
    'services:',
    '  nats:',
    '    image: nats:2',
    '    command: ["-c", "nats.conf"]',
    '    working_dir: /pool',
    '    volumes: ["./server:/pool"]',
    `    ports: [${ports.map((port) => `"${port}:${port}"`).join(', ')}]`,
    '    restart: unless-stopped',
    '',
  ].join('\n');
}
