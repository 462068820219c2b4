// How the real control plane is started and stopped, and what it says of itself.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Its one line of JSON; test/controlplane/README.md explains each field. */
export interface Announcement {
  readonly server: string;
  readonly caFile: string;
  readonly kubeletPort: number;
  readonly adminToken: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly certificate: { readonly user: string; readonly certFile: string; readonly keyFile: string };
  readonly kubeconfig: string;
  readonly backends: string;
  readonly control: string;
  readonly log: string;
  readonly pid: number;
}

export interface ControlPlane {
  readonly announcement: Announcement;
  /** As a machine that loses power: nothing is said to anybody. */
  kill(): Promise<void>;
  /** Ends it and removes its files; safe to call twice, and after `kill`. */
  stop(): Promise<void>;
}

/** How long a stop may take: twice of what it promises. */
const PATIENCE_MS = 20_000;

/** Starts one of its own on free loopback ports. Throws with its log's end when it does not come up. */
export async function startControlPlane(binary: string): Promise<ControlPlane> {
  const dir = mkdtempSync(path.join(tmpdir(), 'ztunnel-controlplane-'));
  // Its stdin is ours: it ends when we do, however that happens.
  const child = spawn(binary, ['--dir', dir], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const stop = async () => {
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    await ended;
    clearTimeout(timer);
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const announcement = await announced(child, path.join(dir, 'log'));
    return {
      announcement,
      kill: async () => {
        child.kill('SIGKILL');
        await ended;
      },
      stop,
    };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

function announced(child: ChildProcess, log: string): Promise<Announcement> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdin?.on('error', () => {});
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.endsWith('\n')) resolve(JSON.parse(stdout) as Announcement);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) =>
      reject(new Error(`the control plane ended with ${code}: ${stderr.trim()}\n${endOf(log)}`)),
    );
  });
}

function endOf(log: string): string {
  try {
    return readFileSync(log, 'utf8').slice(-4000);
  } catch {
    return '';
  }
}
