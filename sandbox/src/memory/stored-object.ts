import type { JsonObject } from '../wire/json-object.js';

/** An object of a family that has no type of its own. */
export interface StoredObject {
  readonly id: string;
  /** The ID of the parent object, or an empty string. */
  readonly parent: string;
  readonly object: JsonObject & { readonly id: string };
  readonly bytes?: Buffer;
}

export const STORED_KINDS = {
  batch: 'batch_',
  character: 'char_',
  chatCompletion: 'chatcmpl-',
  container: 'cntr_',
  containerFile: 'cfile_',
  conversation: 'conv_',
  conversationItem: 'msg_',
  eval: 'eval_',
  evalRun: 'evalrun_',
  fileBatch: 'vsfb_',
  messageBatch: 'msgbatch_',
  messageFile: 'file_',
  messageSkill: 'skill_',
  messageSkillVersion: 'skillver_',
  permission: 'cp_',
  skill: 'skill_',
  skillVersion: 'skillver_',
  tuningJob: 'ftjob-',
  upload: 'upload_',
  uploadPart: 'part_',
  video: 'video_',
} as const;

export type StoredKind = keyof typeof STORED_KINDS;
