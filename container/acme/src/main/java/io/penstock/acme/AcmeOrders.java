package io.penstock.acme;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.part.CertificateIssuer;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders the certificate of one server. An order starts if the server has no certificate, or if only a third of the certificate's lifetime
 * remains. A failed order is repeated after a pause. The pause grows with each failure, and is longer if the authority requests this. A
 * problem is logged as an error only if it differs from the previous problem.
 *
 * <p>Thread: only one thread at a time calls {@link #look}. Each order runs on a new thread {@code acme}, which waits for the network. This
 * object owns the folder ({@link KeptFiles}) and the thread.
 */
final class AcmeOrders implements CertificateIssuer.Orders {
    private static final Logger LOG = LoggerFactory.getLogger(AcmeOrders.class);

    /** The maximum time of an order. Without this limit, an order would never end if an authority stops in the middle of a message. */
    static final Duration LONGEST_ORDER = Duration.ofMinutes(10);

    /**
     * The minimum time from a successful order to the next order. This pause prevents continuous orders if the clock is wrong and each new
     * certificate seems to be old.
     */
    static final Duration AFTER_SUCCESS = Duration.ofHours(1);

    /** The maximum pause after a failed order. If the authority requests a longer pause, this maximum is used. */
    static final Duration LONGEST_RETRY_AFTER = Duration.ofDays(7);

    private static final Duration LAST_WAIT = Duration.ofSeconds(3);

    private final CertificateIssuer.Settings settings;
    private final CertificateIssuer.Receiver receiver;
    private final KeptFiles files;
    private final Time time;
    private final RetryPause pauses;

    private volatile int failures;

    @GuardedBy("this")
    private @Nullable Attempt running;

    @GuardedBy("this")
    private Instant notBefore = Instant.MIN;

    /** The last logged problem; empty after a successful order. */
    @GuardedBy("this")
    private String named = "";

    @GuardedBy("this")
    private boolean closed;

    /** The time of the last call of {@link #now}. */
    @GuardedBy("this")
    private Instant last = Instant.MIN;

    /**
     * A certificate that the authority has signed and that could not be stored or used; null if there is none. Only the running order uses
     * this field.
     */
    private CertificateOrder.@Nullable Signed unused;

    /** @param files the folder of the authority. From this call on this object owns the folder */
    AcmeOrders(
            CertificateIssuer.Settings settings,
            CertificateIssuer.Receiver receiver,
            KeptFiles files,
            Time time,
            RetryPause pauses) {
        this.settings = settings;
        this.receiver = receiver;
        this.files = files;
        this.time = time;
        this.pauses = pauses;
    }

    @Override
    public synchronized void look() {
        Instant now = now();
        if (running != null) {
            running.limit(now);
            return;
        }
        if (closed || now.isBefore(notBefore) || now.isBefore(Validity.renewal(receiver.current(), settings.names()))) {
            return;
        }
        Attempt attempt = new Attempt(now);
        attempt.thread.start();
        running = attempt;
    }

    /**
     * The present time. If the clock was set back since the last call, all times that were read from it are moved back, too. Otherwise the
     * next order could have to wait for as long as the clock was wrong, which can be years.
     */
    @GuardedBy("this")
    private Instant now() {
        Instant now = time.instant();
        if (now.isBefore(last)) {
            Duration back = Duration.between(now, last);
            notBefore = notBefore.equals(Instant.MIN) ? notBefore : notBefore.minus(back);
            if (running != null) {
                running.begun = running.begun.minus(back);
            }
        }
        last = now;
        return now;
    }

    @Override
    public int failures() {
        return failures;
    }

    /** Whether no order is running. */
    synchronized boolean isIdle() {
        return running == null;
    }

    /** The reason why the last order failed; empty if the last order succeeded. */
    synchronized String problem() {
        return named;
    }

    /** One order, which runs on a thread of its own. Other threads call {@link #limit}. */
    private final class Attempt implements Runnable {
        final Thread thread = new Thread(this, "acme");
        private Instant begun; // guarded by the monitor of AcmeOrders
        private volatile boolean overdue;

        Attempt(Instant begun) {
            this.begun = begun;
            thread.setDaemon(true);
        }

        /** Interrupts the order if it takes too long. */
        void limit(Instant now) {
            if (!overdue && now.isAfter(begun.plus(LONGEST_ORDER))) {
                overdue = true;
                thread.interrupt();
            }
        }

        @Override
        public void run() {
            String problem = "the order was ended by an error";
            Instant asked = null;
            try {
                order();
                problem = "";
            } catch (OrderException e) {
                problem = String.valueOf(e.getMessage());
                asked = e.notBefore();
                LOG.debug("The order has failed", e);
            } catch (IOException | GeneralSecurityException e) {
                problem = String.valueOf(e.getMessage());
                LOG.debug("The order has failed", e);
            } catch (InterruptedException e) {
                LOG.debug("The order was interrupted", e);
            } catch (RuntimeException e) {
                problem = e.toString();
                LOG.error("This is a defect of the server or of its library for ACME", e);
            } finally {
                ended(
                        overdue ? "the order has not ended after " + LONGEST_ORDER.toMinutes() + " minutes" : problem,
                        asked);
            }
        }

        private void order() throws OrderException, IOException, GeneralSecurityException, InterruptedException {
            CertificateOrder.Signed signed = unused;
            if (signed == null || !time.instant().isBefore(Validity.renewal(signed.certificate(), settings.names()))) {
                signed = obtain();
                unused = signed;
            }
            files.write(settings.certificate(), signed.pem());
            receiver.replaced();
            unused = null;
        }

        private CertificateOrder.Signed obtain()
                throws OrderException, IOException, GeneralSecurityException, InterruptedException {
            // After a failed order the next order uses the next challenge type. The types use different ports, and a
            // firewall can block only one of these ports.
            String kind =
                    settings.challenges().get(failures % settings.challenges().size());
            LOG.info(
                    "Ordering a certificate for {} from {}, by {}",
                    String.join(", ", settings.names()),
                    settings.directory(),
                    kind);
            return new CertificateOrder(settings, receiver, files, kind, time).obtain();
        }
    }

    /** @param problem the reason of the failure; empty after a successful order */
    private synchronized void ended(String problem, @Nullable Instant asked) {
        running = null;
        // A thread in close() possibly waits for the end of the order.
        notifyAll();
        if (closed) {
            return;
        }
        Instant now = now();
        if (problem.isEmpty()) {
            failures = 0;
            named = "";
            notBefore = now.plus(AFTER_SUCCESS);
            return;
        }
        int count = failures + 1;
        failures = count;
        notBefore = now.plus(pauses.after(count));
        if (asked != null && asked.isAfter(notBefore)) {
            Instant latest = now.plus(LONGEST_RETRY_AFTER);
            notBefore = asked.isAfter(latest) ? latest : asked;
        }
        String text = "No certificate for {} from {}: {}. The next attempt is at {}";
        Object[] parts = {
            String.join(", ", settings.names()),
            settings.directory(),
            problem,
            notBefore.truncatedTo(ChronoUnit.SECONDS)
        };
        if (problem.equals(named)) {
            LOG.debug(text, parts);
        } else {
            LOG.error(text, parts);
        }
        named = problem;
    }

    @Override
    public void close() {
        boolean interrupted = false;
        synchronized (this) {
            closed = true;
            if (running != null) {
                running.thread.interrupt();
            }
            long deadline = System.nanoTime() + LAST_WAIT.toNanos();
            long left = LAST_WAIT.toMillis();
            while (running != null && left > 0 && !interrupted) {
                try {
                    // The wait ends when the order has ended.
                    wait(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            }
            if (running != null) {
                LOG.warn(
                        "The order of a certificate still runs; its thread ends when the authority answers or the network times out");
            }
        }
        files.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
