package io.penstock.security;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.LoginLimits;
import io.penstock.realm.ProvenPasswords;
import io.penstock.realm.Realm;
import io.penstock.request.HttpRequest;
import io.penstock.request.Identity;
import io.penstock.time.Clock;
import jakarta.servlet.ServletException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server's realm, and bounds failed logins and checks of passwords. One object for all contexts, so that a lock-out holds for
 * all.
 *
 * <p>Thread: workers, several at once. An exception of the realm fails the request and is no failed login.
 */
public final class Logins {
    private static final int NAME_KEPT = 64;
    private static final int IPV6_NETWORK = 8;

    private final Realm realm;
    private final LoginLimits limits;
    private final Counters counters;
    private final Clock clock;
    private final LockOuts lockOuts;
    private final PasswordChecks checks;

    /** Names with passwords that need no place among the checks, since a realm should remember them, too. */
    private final ProvenPasswords proven = new ProvenPasswords();

    public Logins(Realm realm, LoginLimits limits, Counters counters, Clock clock) {
        this.realm = realm;
        this.limits = limits;
        this.counters = counters;
        this.clock = clock;
        lockOuts = new LockOuts(limits, clock, () -> count(Counter.LOGIN_FAILURES_FORGOTTEN));
        checks = new PasswordChecks(limits.passwordChecks());
    }

    /** Nobody can log in. */
    public static Logins none() {
        return new Logins(Realm.NONE, LoginLimits.defaults(), new Counters(), Clock.SYSTEM);
    }

    LoginLimits limits() {
        return limits;
    }

    Clock clock() {
        return clock;
    }

    boolean hasUsers() {
        return realm != Realm.NONE;
    }

    void count(Counter counter) {
        counters.increment(counter);
    }

    Attempt withPassword(HttpRequest request, String type, String name, String password) throws ServletException {
        Client client = client(request, name);
        Attempt.LockedOut locked = lockedOut(client);
        if (locked != null) {
            return locked;
        }
        Callable<Realm.@Nullable User> question = () -> realm.authenticate(name, password);
        if (proven.contains(name, password)) {
            return judged(client, type, question, name, password);
        }
        if (!checks.begin(client.address())) {
            count(Counter.PASSWORD_CHECKS_REFUSED);
            return new Attempt.Busy();
        }
        try {
            return judged(client, type, question, name, password);
        } finally {
            checks.end(client.address());
        }
    }

    /** A password that has been changed needs a place again. */
    private Attempt judged(
            Client client, String type, Callable<Realm.@Nullable User> question, String name, String password)
            throws ServletException {
        Attempt attempt = judged(client, type, question);
        if (attempt instanceof Attempt.Succeeded) {
            proven.add(name, password);
        } else {
            proven.remove(name, password);
        }
        return attempt;
    }

    /**
     * Costs a short hash and takes no place among the checks of passwords.
     *
     * @param isRight whether the client has answered by this secret, or by one that nobody has where there is none
     */
    Attempt withDigest(
            HttpRequest request,
            String type,
            String name,
            String realmName,
            DigestAlgorithm algorithm,
            Predicate<String> isRight)
            throws ServletException {
        Client client = client(request, name);
        Attempt.LockedOut locked = lockedOut(client);
        if (locked != null) {
            return locked;
        }
        return judged(client, type, () -> {
            Realm.DigestUser found = realm.digest(name, realmName, algorithm.id());
            boolean right = isRight.test(found == null ? algorithm.hash(name) : found.secret());
            return found == null || !right ? null : found.user();
        });
    }

    Attempt withCertificates(String type, List<X509Certificate> chain) throws ServletException {
        Realm.User found = ask(() -> realm.authenticate(chain));
        if (found == null) {
            count(Counter.LOGIN_FAILURES);
            return new Attempt.Failed();
        }
        return new Attempt.Succeeded(Identity.of(type, found.name(), found.roles()));
    }

    /** The name that somebody wants to log in by, and from where. */
    private record Client(String name, String address) {}

    private static Client client(HttpRequest request, String name) {
        String kept = name.length() <= NAME_KEPT ? name : name.substring(0, NAME_KEPT) + name.hashCode();
        return new Client(kept, network(request.state().exchange().peer().remoteIp()));
    }

    private Attempt.@Nullable LockedOut lockedOut(Client client) {
        int seconds = lockOuts.lockedFor(client.name(), client.address());
        if (seconds == 0) {
            return null;
        }
        count(Counter.LOGINS_LOCKED_OUT);
        return new Attempt.LockedOut(seconds);
    }

    private Attempt judged(Client client, String type, Callable<Realm.@Nullable User> question)
            throws ServletException {
        Realm.User found = ask(question);
        if (found == null) {
            lockOuts.failed(client.name(), client.address());
            count(Counter.LOGIN_FAILURES);
            return new Attempt.Failed();
        }
        lockOuts.succeeded(client.name(), client.address());
        return new Attempt.Succeeded(Identity.of(type, found.name(), found.roles()));
    }

    private static Realm.@Nullable User ask(Callable<Realm.@Nullable User> question) throws ServletException {
        try {
            return question.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServletException("Interrupted while the realm was asked", e);
        } catch (Exception e) {
            throw new ServletException("The realm failed", e);
        }
    }

    /** An address, or what is one client's of IPv6. Clients of Unix domain sockets count as one: nothing tells them apart. */
    private static String network(@Nullable InetAddress address) {
        if (address == null) {
            return "";
        }
        byte[] octets = address.getAddress();
        return HexFormat.of().formatHex(address instanceof Inet6Address ? Arrays.copyOf(octets, IPV6_NETWORK) : octets);
    }
}
