package io.penstock.websocket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the clients of one application may have on the heap of messages whose end has not come. Beyond it those go that have been
 * unfinished longest: who means well finishes.
 *
 * <p>Thread: any.
 */
final class UnfinishedMessages {
    private final long most;

    /** What each connection has, in the order in which their messages began. */
    @GuardedBy("this")
    private final Map<Share, Long> begun = new LinkedHashMap<>();

    @GuardedBy("this")
    private long bytes;

    /** @param most bytes of all together */
    UnfinishedMessages(long most) {
        this.most = most;
    }

    /** @param giveUp ends the connection; may be called by the thread of another */
    Share share(Runnable giveUp) {
        return new Share(giveUp);
    }

    /** Returns those that have to go. */
    private synchronized List<Share> change(Share share, long now) {
        Long before = now == 0 ? begun.remove(share) : begun.put(share, now);
        bytes += now - (before == null ? 0 : before);
        List<Share> tooMany = new ArrayList<>();
        for (Iterator<Map.Entry<Share, Long>> oldest = begun.entrySet().iterator();
                bytes > most && oldest.hasNext(); ) {
            Map.Entry<Share, Long> next = oldest.next();
            tooMany.add(next.getKey());
            bytes -= next.getValue();
            oldest.remove();
        }
        return tooMany;
    }

    /** What one connection has. Thread: that of its connection. */
    final class Share {
        private final Runnable giveUp;

        private Share(Runnable giveUp) {
            this.giveUp = giveUp;
        }

        /** Says what it has now; 0 if its message has come whole. */
        void holds(long now) {
            change(this, now).forEach(share -> share.giveUp.run()); // without the lock: it may have others
        }
    }
}
