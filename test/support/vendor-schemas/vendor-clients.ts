import type { Anthropic } from '@anthropic-ai/sdk';
import type { OpenAI } from 'openai';

/** The clients whose types `vendorTypes` reads. They are never constructed. */
export declare const openai: OpenAI;
export declare const anthropic: Anthropic;
