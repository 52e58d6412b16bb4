import type { Tool } from '@pawl/tool-sdk';
import { AllowedFolder } from './allowed-folder.ts';
import { artifactRead } from './artifact-read.ts';
import { artifactWrite } from './artifact-write.ts';
import type { ToolsConfig } from './config.ts';
import { csvTools } from './csv/index.ts';
import { filesList } from './files-list.ts';
import { filesRead } from './files-read.ts';
import { filesWrite } from './files-write.ts';
import { httpTools } from './http/index.ts';
import { jsonTools } from './json/index.ts';
import { mailSend } from './mail/mail-send.ts';
import { sqlTools } from './sql/index.ts';
import { textSplit } from './text-split.ts';

/** Which folders file tools may use, and how large a file may be. */
export interface FilesConfig {
  /** Everything below it may be read. */
  readonly root: string;
  /** Everything below it may be written. Default: `root`. */
  readonly writeRoot?: string;
  /** Default 16 MB. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

const DEFAULT_MAX_HTTP_BYTES = 64 * 1024 * 1024;

/** `files.read@1`, `files.list@1` and `files.write@1`, confined to the given folders. */
export function filesTools(config: FilesConfig): Tool[] {
  const readable = new AllowedFolder(config.root);
  const writable = new AllowedFolder(config.writeRoot ?? config.root);
  const maxBytes = config.maxBytes ?? DEFAULT_MAX_BYTES;
  return [filesList(readable), filesRead(readable, maxBytes), filesWrite(writable, maxBytes)];
}

/** The tools that every worker offers. */
export function builtinTools(config: ToolsConfig): Tool[] {
  const { filesRoot, writeRoot, maxHttpBytes = DEFAULT_MAX_HTTP_BYTES, sql = { urls: {} } } = config;
  return [
    ...filesTools({ root: filesRoot, writeRoot }),
    artifactRead,
    artifactWrite,
    textSplit,
    ...jsonTools,
    ...csvTools,
    ...httpTools({ maxBytes: maxHttpBytes }),
    ...sqlTools(sql),
    mailSend(config.mail),
  ];
}
