import type { Json, ModelAnswer } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import css from './conversation.module.css';

/** What a model was asked, as the journal keeps it. */
export interface AskedModel {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly parameters?: Readonly<Record<string, Json>>;
}

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly name?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
}

/** True for the request of a model call that holds its messages. */
export function isAskedModel(request: unknown): request is AskedModel {
  const { model, messages } = (request ?? {}) as Record<string, unknown>;
  const isMessage = (message: unknown) => typeof (message as Message | null)?.content === 'string';
  return typeof model === 'string' && Array.isArray(messages) && messages.every(isMessage);
}

/** A model call as a conversation: what it was told, and what it said. */
export function Conversation({
  asked,
  answer,
}: {
  readonly asked: AskedModel;
  readonly answer: ModelAnswer | undefined;
}) {
  const { t } = useTranslation();
  const said: readonly Message[] = [
    ...asked.messages,
    ...(answer
      ? [
          {
            role: 'assistant' as const,
            content: answer.text,
            ...(answer.toolCalls && { toolCalls: answer.toolCalls }),
          },
        ]
      : []),
  ];
  const parameters = Object.entries(asked.parameters ?? {});
  return (
    <section aria-label={t('run.conversation')}>
      <h4 className={css.title}>{t('run.conversation')}</h4>
      <ol className={css.messages}>
        {said.map((message, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have no other name.
          <li key={at} data-role={message.role}>
            <b>
              {t(`run.roles.${message.role}`)}
              {message.name && ` · ${message.name}`}
            </b>
            {message.content !== '' && <p>{message.content}</p>}
            {message.toolCalls?.map((call, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: calls have no other name.
              <p key={place}>
                <code>
                  {call.name}({call.arguments})
                </code>
              </p>
            ))}
          </li>
        ))}
      </ol>
      <p className={css.note}>
        {[asked.model, ...parameters.map(([name, value]) => `${name} ${JSON.stringify(value)}`)].join(' · ')}
      </p>
    </section>
  );
}
