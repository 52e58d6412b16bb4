import { z } from 'zod';
import { CallbackBody, CallbackTaken } from '../schemas/index.ts';
import { json, route } from './route.ts';

export const callbackRoutes = {
  callBack: route({
    method: 'POST',
    path: '/v1/callbacks/:token',
    summary: 'Say how a call ended that a service took; the address is the proof, and counts once',
    tag: 'callbacks',
    auth: 'open',
    params: z.object({ token: z.string().min(1).max(8_000) }),
    body: CallbackBody,
    replies: { 200: json(CallbackTaken, 'It counts; or the same was said before') },
    errors: ['callback_unknown', 'callback_invalid', 'callback_late'],
  }),
};
