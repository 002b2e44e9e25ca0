package io.penstock.websocket.frame;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits the heap memory for unfinished messages of one application. If the limit is exceeded, the connections with the oldest unfinished
 * messages are closed. Clients with correct behaviour complete their messages soon.
 *
 * <p>Thread: any.
 */
public final class UnfinishedMessages {
    private final long most;

    /** The bytes of each connection's unfinished message. The oldest message is first. */
    @GuardedBy("this")
    private final Map<Share, Long> begun = new LinkedHashMap<>();

    @GuardedBy("this")
    private long bytes;

    /** @param most the most bytes of all unfinished messages together */
    public UnfinishedMessages(long most) {
        this.most = most;
    }

    /** @param giveUp ends the connection; the thread of another connection might call it */
    public Share share(Runnable giveUp) {
        return new Share(giveUp);
    }

    /** Sets the bytes of a connection. Returns the connections that must be closed. */
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

    /** The unfinished message of one connection. Thread: the thread of the connection. */
    public final class Share {
        private final Runnable giveUp;

        private Share(Runnable giveUp) {
            this.giveUp = giveUp;
        }

        /** Sets the bytes of the unfinished message; 0 if the message is complete. */
        public void holds(long now) {
            change(this, now)
                    .forEach(share -> share.giveUp.run()); // without the lock, because giveUp might take other locks
        }
    }
}
