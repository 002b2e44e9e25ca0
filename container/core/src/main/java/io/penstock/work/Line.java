package io.penstock.work;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs in the order of their arrival, each with its time of arrival.
 *
 * <p>The line is a linked list, so that no operation fails half way if memory is exhausted. {@link #add} allocates its entry before it
 * changes the list. The other operations allocate no memory. A list in an array could lose jobs when the array cannot grow.
 *
 * <p>Thread: the holder of the queue's lock.
 */
final class Line {
    private @Nullable Waiting first;
    private @Nullable Waiting last;
    private int size;

    private static final class Waiting {
        final Job job;
        final long since;

        @Nullable
        Waiting next;

        Waiting(Job job, long since) {
            this.job = job;
            this.since = since;
        }
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return first == null;
    }

    void add(Job job, long now) {
        insert(last, new Waiting(job, now));
    }

    /** Removes and returns the job that has waited longest; null if the line is empty. */
    @Nullable
    Job poll() {
        Waiting oldest = first;
        if (oldest == null) {
            return null;
        }
        removeAfter(null, oldest);
        return oldest.job;
    }

    /** Removes a job. Returns whether the job was in the line. The search begins with the job that has waited longest. */
    boolean remove(Job job) {
        Waiting before = null;
        for (Waiting one = first; one != null; one = one.next) {
            if (one.job == job) {
                removeAfter(before, one);
                return true;
            }
            before = one;
        }
        return false;
    }

    /**
     * Moves all jobs that match {@code which} to another line. The jobs of that line remain in the order of their arrival. Returns the
     * number of moved jobs.
     */
    int moveTo(Line other, Predicate<Job> which) {
        int all = size;
        Waiting before = null; // the last entry so far that stays in this line
        Waiting position = null; // the last entry of the other line that is older than the moved entry
        Waiting one = first;
        while (one != null) {
            Waiting next = one.next;
            if (which.test(one.job)) {
                removeAfter(before, one);
                position = other.lastBefore(one.since, position);
                other.insert(position, one);
                position = one;
            } else {
                before = one;
            }
            one = next;
        }
        return all - size;
    }

    /**
     * Moves the jobs that have waited longest to the end of another line, until this line has at most {@code most} jobs. Returns the number
     * of moved jobs.
     */
    int cutTo(int most, Line other) {
        int all = size;
        for (Waiting oldest = first; oldest != null && size > most; oldest = first) {
            removeAfter(null, oldest);
            other.insert(other.last, oldest);
        }
        return all - size;
    }

    /**
     * The last entry that arrived at the time {@code since} or earlier. The search begins after the entry {@code from}, or at the first
     * entry if {@code from} is null. Returns {@code from} if no later entry matches.
     */
    private @Nullable Waiting lastBefore(long since, @Nullable Waiting from) {
        Waiting found = from;
        for (Waiting next = from == null ? first : from.next; next != null && next.since - since <= 0; ) {
            found = next;
            next = next.next;
        }
        return found;
    }

    /** @param before the entry after which the new entry is inserted; null for the first place */
    private void insert(@Nullable Waiting before, Waiting added) {
        if (before == null) {
            added.next = first;
            first = added;
        } else {
            added.next = before.next;
            before.next = added;
        }
        if (before == last) {
            last = added;
        }
        size++;
    }

    /** @param before the entry before the removed entry; null if the removed entry is the first */
    private void removeAfter(@Nullable Waiting before, Waiting removed) {
        if (before == null) {
            first = removed.next;
        } else {
            before.next = removed.next;
        }
        if (removed == last) {
            last = before;
        }
        // The removed entry must not keep later entries in memory.
        removed.next = null;
        size--;
    }

    /**
     * Whether the first job of this line has waited longer than the first job of the other line. Also true if only the other line is empty.
     */
    boolean isOlderThan(Line other) {
        Waiting mine = first;
        Waiting others = other.first;
        return mine != null && (others == null || mine.since - others.since < 0);
    }

    /** Nanoseconds since the arrival of the first job; 0 if the line is empty. */
    long age(long now) {
        Waiting oldest = first;
        return oldest == null ? 0 : Math.max(0, now - oldest.since);
    }
}
