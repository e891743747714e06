// What the server answers to its commands. The server decides everything; these are only the names.

import type { Location } from 'vscode-languageclient/node';

export interface Change {
  name: string;
  from: string;
  to: string;
  /** In a line. */
  text: string;
}

export interface Step {
  /** From 0. */
  number: number;
  text: string;
  /** Values before and after. */
  changed: Change[];
  process: string;
  pid: number;
  /** In a net: the transition that fires, without its binding. */
  transition: string | null;
  location: Location | null;
  /** Whether the violation depends on it. */
  matters: boolean;
}

export interface Trail {
  property: string;
  reason: string;
  prefix: number;
  cycle: number;
  shortest: boolean;
  steps: Step[];
}

export type Status = 'unknown' | 'waiting' | 'running' | 'stale' | 'bounded' | 'decided' | 'failed';

export interface PropertyStatus {
  property: string;
  title: string;
  status: Status;
  verdict: 'holds' | 'violated' | 'incomplete' | null;
  states: number;
  location: Location | null;
}

/** Sent by the server whenever something is known that was not. */
export const STATUS_NOTIFICATION = 'stubborn/status';

export interface StatusParams {
  uri: string;
  properties: PropertyStatus[];
}
