import { SendSignal, SentSignal, SignalFilterQuery, SignalPage } from '../schemas/index.ts';
import { json, route } from './route.ts';

export const signalRoutes = {
  sendSignal: route({
    method: 'POST',
    path: '/v1/signals',
    summary: 'Send a signal to whoever waits for it, or will; with an id at most once',
    tag: 'signals',
    auth: 'operator',
    body: SendSignal,
    replies: {
      201: json(SentSignal, 'The signal was sent'),
      200: json(SentSignal, 'The same signal was sent before under this id'),
    },
    errors: ['signal_conflict', 'signals_full', 'signal_too_large'],
  }),
  listSignals: route({
    method: 'GET',
    path: '/v1/signals',
    summary: 'List signals that nobody has taken yet, oldest first',
    tag: 'signals',
    auth: 'viewer',
    query: SignalFilterQuery,
    replies: { 200: json(SignalPage, 'A page of kept signals') },
    errors: ['cursor_invalid'],
  }),
};
