package io.penstock.events;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls several listeners. Catches the exceptions of a listener, because the calling thread must continue to serve clients.
 *
 * <p>Thread: any.
 */
final class AllListeners implements ConnectionEvents {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionEvents.class);

    // The listeners are called for several events of each request. The iteration over an array is faster than over a
    // list.
    private final ConnectionEvents[] listeners;
    private final ConnectionEvents[] followers;

    // Each of the next five arrays has the name of an event of every request. The array contains only the listeners
    // that implement this event. They are called without lambdas, which would be objects.
    private final ConnectionEvents[] headArrived;
    private final ConnectionEvents[] queued;
    private final ConnectionEvents[] taken;
    private final ConnectionEvents[] responding;
    private final ConnectionEvents[] ended;
    private final AtomicBoolean reported = new AtomicBoolean();

    AllListeners(List<ConnectionEvents> listeners) {
        this.listeners = listeners.toArray(ConnectionEvents[]::new);
        this.followers =
                listeners.stream().filter(ConnectionEvents::followsRequests).toArray(ConnectionEvents[]::new);
        this.headArrived = implementing("headArrived", Request.class);
        this.queued = implementing("queued", Request.class);
        this.taken = implementing("taken", Request.class, long.class);
        this.responding = implementing("responding", Request.class, int.class);
        Set<ConnectionEvents> ending = new LinkedHashSet<>(List.of(implementing("ended", RequestSummary.class)));
        ending.addAll(List.of(implementing("ended", RequestSummary.class, Notes.class)));
        this.ended = Arrays.stream(followers).filter(ending::contains).toArray(ConnectionEvents[]::new);
    }

    /** The listeners that implement the method of the event. */
    private ConnectionEvents[] implementing(String event, Class<?>... parameters) {
        List<ConnectionEvents> found = new ArrayList<>();
        for (ConnectionEvents follower : followers) {
            try {
                Class<?> declaring =
                        follower.getClass().getMethod(event, parameters).getDeclaringClass();
                if (declaring != ConnectionEvents.class) {
                    found.add(follower);
                }
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("every listener has " + event, e);
            }
        }
        return found.toArray(ConnectionEvents[]::new);
    }

    @Override
    public boolean followsRequests() {
        return followers.length > 0;
    }

    @Override
    public boolean followsNow() {
        for (ConnectionEvents follower : followers) {
            try {
                if (follower.followsNow()) {
                    return true;
                }
            } catch (RuntimeException | Error e) {
                report(follower, e);
            }
        }
        return false;
    }

    @Override
    public void opened(String connection, SocketAddress remote) {
        tell(listeners, listener -> listener.opened(connection, remote));
    }

    @Override
    public void refused(String connection, int status, String reason) {
        tell(listeners, listener -> listener.refused(connection, status, reason));
    }

    @Override
    public void timedOut(String connection, String name) {
        tell(listeners, listener -> listener.timedOut(connection, name));
    }

    @Override
    public void upgraded(String connection, String protocol) {
        tell(listeners, listener -> listener.upgraded(connection, protocol));
    }

    @Override
    public void closed(String connection, CloseCause cause, String detail) {
        tell(listeners, listener -> listener.closed(connection, cause, detail));
    }

    @Override
    public void late(String reactor, long nanos) {
        tell(listeners, listener -> listener.late(reactor, nanos));
    }

    @Override
    public void failed(String connection, Throwable cause) {
        tell(listeners, listener -> listener.failed(connection, cause));
    }

    @Override
    public void headArrived(Request request) {
        for (ConnectionEvents listener : headArrived) {
            try {
                listener.headArrived(request);
            } catch (RuntimeException | Error e) {
                report(listener, e);
            }
        }
    }

    @Override
    public void bodyArrived(Request request, long bytes) {
        tell(followers, listener -> listener.bodyArrived(request, bytes));
    }

    @Override
    public void spilled(Request request, Side side, long bytes) {
        tell(followers, listener -> listener.spilled(request, side, bytes));
    }

    @Override
    public void waits(Request request, Side side) {
        tell(followers, listener -> listener.waits(request, side));
    }

    @Override
    public void resumed(Request request, Side side) {
        tell(followers, listener -> listener.resumed(request, side));
    }

    @Override
    public void queued(Request request) {
        for (ConnectionEvents listener : queued) {
            try {
                listener.queued(request);
            } catch (RuntimeException | Error e) {
                report(listener, e);
            }
        }
    }

    @Override
    public void taken(Request request, long waitedNanos) {
        for (ConnectionEvents listener : taken) {
            try {
                listener.taken(request, waitedNanos);
            } catch (RuntimeException | Error e) {
                report(listener, e);
            }
        }
    }

    @Override
    public void responding(Request request, int status) {
        for (ConnectionEvents listener : responding) {
            try {
                listener.responding(request, status);
            } catch (RuntimeException | Error e) {
                report(listener, e);
            }
        }
    }

    @Override
    public void gone(Request request, String cause) {
        tell(followers, listener -> listener.gone(request, cause));
    }

    @Override
    public Notes.Wanted wanted() {
        Notes.Wanted all = Notes.Wanted.NOTHING;
        for (ConnectionEvents follower : followers) {
            all = all.and(follower.wanted());
        }
        return all;
    }

    @Override
    public void ended(RequestSummary summary) {
        ended(summary, Notes.NONE);
    }

    @Override
    public void ended(RequestSummary summary, Notes notes) {
        for (ConnectionEvents listener : ended) {
            try {
                listener.ended(summary, notes);
            } catch (RuntimeException | Error e) {
                report(listener, e);
            }
        }
    }

    private void tell(ConnectionEvents[] told, Consumer<ConnectionEvents> event) {
        for (ConnectionEvents listener : told) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                report(listener, e);
            }
        }
    }

    /**
     * Logs the first failure of any listener as an error. Later failures are logged at debug level, because a listener might fail for every
     * request.
     */
    private void report(ConnectionEvents listener, Throwable failure) {
        if (reported.compareAndSet(false, true)) {
            LOG.error("{} failed; further failures of listeners are logged as details", listener, failure);
        } else {
            LOG.debug("{} failed", listener, failure);
        }
    }
}
