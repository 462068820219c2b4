// Everything that is fuzzed.

import { answers } from './answers.ts';
import { dumps } from './dumps.ts';
import { frames } from './frames.ts';
import { kubeconfigs } from './kubeconfigs.ts';
import { objects } from './objects.ts';
import { policies } from './policies.ts';
import type { Target } from './target.ts';

export const TARGETS: readonly Target[] = [objects, dumps, kubeconfigs, frames, answers, policies];
