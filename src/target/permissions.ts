import { type JsonSchema, section } from './json-schema.ts';

/** What the suite does to a target only where its file says so: it uses something up, or leaves something behind. */
export interface TargetPermissions {
  /** Read without the PSU present until the bank refuses, so that nobody can for the rest of the day. */
  readonly spendUnattendedCalls: boolean;
  /** Create customers in the sandbox, and remove them again. */
  readonly allowChanges: boolean;
  /** The sandbox is as initialisation leaves it: nobody has created or removed customers and accounts. */
  readonly initialDataSet: boolean;
}

export interface LimitsSection {
  readonly spendUnattendedCalls?: boolean;
}

export interface SandboxSection {
  readonly allowChanges?: boolean;
  readonly initialDataSet?: boolean;
}

const permission = (description: string): JsonSchema => ({ description, type: 'boolean', default: false });

export const limitsSchema = section('Limits that can only be judged by using something up', {
  spendUnattendedCalls: permission(
    'true lets the suite read balances and transactions of one account without the PSU present until the bank refuses, which uses up the calls of the day',
  ),
});

export const sandboxSchema = section('What the suite may take for granted in a sandbox, and may do to it', {
  allowChanges: permission(
    'true lets the suite create customers with POST /v1/sandbox/customers, and remove them again',
  ),
  initialDataSet: permission(
    'true says that the sandbox is as initialisation leaves it, without customers or accounts that were created or removed by hand: then the initial data set is judged',
  ),
});

export const permissionsOf = (
  limits: LimitsSection = {},
  sandbox: SandboxSection = {},
): TargetPermissions => ({
  spendUnattendedCalls: limits.spendUnattendedCalls === true,
  allowChanges: sandbox.allowChanges === true,
  initialDataSet: sandbox.initialDataSet === true,
});
