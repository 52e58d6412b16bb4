// Would catch: more work begun than a worker has places for, when several handlers wait for the same place.
import { describe, expect, it } from 'vitest';
import { Room } from '../../../src/runtime/room.ts';

describe('Room', () => {
  it('gives one free place to one of those who wait, however they were woken', async () => {
    const room = new Room(1);
    expect(await room.takeSome(5)).toBe(1);
    let most = 0;
    const worked = Array.from({ length: 6 }, async () => {
      await room.takeSome(3);
      most = Math.max(most, room.taken);
      await Promise.resolve();
      room.giveBack(1);
    });
    room.giveBack(1);
    await Promise.all(worked);
    expect([most, room.taken]).toEqual([1, 0]);
  });

  it('gives as many places as are free, and none to work that branches when it is full', async () => {
    const room = new Room(4);
    expect(await room.takeSome(3)).toBe(3);
    expect(await room.takeSome(3)).toBe(1);
    expect(room.tryTake()).toBe(false);
    room.giveBack(1);
    expect(room.tryTake()).toBe(true);
    expect(room.taken).toBe(4);
    const empty = room.whenEmpty();
    room.giveBack(4);
    await empty;
    expect(room.taken).toBe(0);
  });
});
