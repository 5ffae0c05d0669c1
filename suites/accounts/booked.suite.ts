import { check, section, suite } from '../../src/checks/check.ts';
import { asControl } from '../../src/checks/context.ts';
import { ExpectationFailed, NotOffered } from '../../src/checks/outcomes.ts';
import { withReadyReader } from '../sca/readers.ts';
import { changedSince } from './booked-transactions.ts';
import { balancesAndTransactions, readingsByAddress } from './some-accounts.ts';

export default suite('Booked transactions', section('States and transitions'), () => [
  check({
    id: 'ACC-16',
    requirement: 'ACC-16',
    title: 'booked transactions had the same amount and day at every reading of the run',
    steps: [
      'Read the transactions of up to three accounts of a PSU who has passed SCA twice.',
      'Look at every listing of transactions that any check of this run has had, of whichever account, with the PSU present and without: one with the same transactionId has the same transactionAmount and bookingDate, where the bank shows them by these names.',
    ],
    expected: 'the same amount and day of each booked transaction at the same address',
    observes: true,
    run: (context) =>
      withReadyReader(context, async (reader) => {
        await balancesAndTransactions(context, reader);
        const readings = readingsByAddress(context);
        context.cases = readings.length;
        if (readings.length === 0)
          throw new NotOffered('No transactions could be read twice at the same address.');
        for (const [first, ...others] of readings)
          for (const other of others) {
            const changed = changedSince(first, other);
            if (changed === undefined) continue;
            context.evidence = [asControl(first.exchange), other.exchange];
            throw new ExpectationFailed(
              `${changed.before} of the booked transaction ${changed.id}`,
              `${changed.after} at another reading`,
            );
          }
      }),
  }),
]);
