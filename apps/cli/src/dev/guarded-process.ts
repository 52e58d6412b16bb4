import { type ChildProcess, spawn } from 'node:child_process';

// A server that we start must not outlive us, however we end. A small shell keeps a pipe to this process; when the
// pipe closes (also by SIGKILL of this process), the shell stops the server. The shell and its server are a process
// group of their own, so that Ctrl-C in the terminal reaches this process only and it decides the order of stopping.
const GUARD = `
trap 'gone=1' USR1
trap '' INT HUP
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
( read -r _ <&3; kill -USR1 $$; kill -s "$PAWL_GUARD_SIGNAL" $server ) 2>/dev/null &
reader=$!
exec 3<&-
wait $server; code=$?
while kill -0 $server 2>/dev/null; do wait $server; code=$?; done
kill $reader 2>/dev/null
if [ -n "$gone" ] && [ -n "$PAWL_GUARD_REMOVE" ]; then rm -rf "$PAWL_GUARD_REMOVE"; fi
exit $code
`;

export interface GuardedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Put before the whole command line, for instance to change the user with capabilities. */
  readonly wrap?: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
  /** Where standard output and error go: a file descriptor, or nowhere. */
  readonly log: number | 'ignore';
  /** Sent to the server when this process is gone. */
  readonly stopSignal: 'INT' | 'TERM';
  /** Folder that is removed after the server ended because this process was gone. */
  readonly removeWhenOrphaned?: string;
}

export interface GuardedProcess {
  /** Settles when the server has ended; its exit code, or 128 + signal. */
  readonly ended: Promise<number>;
  readonly hasEnded: () => boolean;
}

/** Starts a server that stops when this process ends, however it ends. */
export function startGuarded(command: GuardedCommand): GuardedProcess {
  const shell = ['/bin/sh', '-c', GUARD, 'guard', command.file, ...command.args];
  const [file, ...args] = [...(command.wrap ?? []), ...shell];
  const child = spawn(file as string, args, {
    cwd: '/',
    detached: true,
    stdio: ['pipe', command.log, command.log],
    env: {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      LC_ALL: 'C',
      TZ: 'UTC',
      PAWL_GUARD_SIGNAL: command.stopSignal,
      PAWL_GUARD_REMOVE: command.removeWhenOrphaned ?? '',
      ...command.env,
    },
    ...(command.uid === undefined ? {} : { uid: command.uid, gid: command.gid }),
  });
  return watchEnd(child);
}

function watchEnd(child: ChildProcess): GuardedProcess {
  let over = false;
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => {
      over = true;
      reject(error);
    });
    child.once('exit', (code, signal) => {
      over = true;
      child.stdin?.destroy();
      resolve(code ?? (signal === 'SIGKILL' ? 137 : 1));
    });
  });
  ended.catch(() => undefined);
  child.stdin?.on('error', () => undefined);
  return { ended, hasEnded: () => over };
}
