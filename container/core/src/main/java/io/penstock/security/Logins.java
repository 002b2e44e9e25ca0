package io.penstock.security;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.LoginLimits;
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
 * Where those who want to log in are tried: the server's users, and the bounds on failures. One for all contexts, so that a lock-out
 * is one for all.
 *
 * <p>Thread: workers, several at once. A realm that throws fails the request and counts for nothing.
 */
public final class Logins {
    private static final int NAME_KEPT = 64;
    private static final int IPV6_NETWORK = 8;

    private final Users users;
    private final LoginLimits limits;
    private final Counters counters;
    private final Clock clock;
    private final LockOuts lockOuts;

    public Logins(Users users, LoginLimits limits, Counters counters, Clock clock) {
        this.users = users;
        this.limits = limits;
        this.counters = counters;
        this.clock = clock;
        lockOuts = new LockOuts(limits, clock, () -> count(Counter.LOGIN_FAILURES_FORGOTTEN));
    }

    /** Nobody can log in. */
    public static Logins none() {
        return new Logins(Users.NONE, LoginLimits.defaults(), new Counters(), Clock.SYSTEM);
    }

    LoginLimits limits() {
        return limits;
    }

    Clock clock() {
        return clock;
    }

    boolean hasUsers() {
        return users != Users.NONE;
    }

    void count(Counter counter) {
        counters.increment(counter);
    }

    Attempt withPassword(HttpRequest request, String type, String name, String password) throws ServletException {
        return attempt(request, type, name, () -> users.withPassword(name, password));
    }

    /** @param isRight whether the client has answered by this secret, or by one that nobody has where there is none */
    Attempt withDigest(
            HttpRequest request,
            String type,
            String name,
            String realm,
            DigestAlgorithm algorithm,
            Predicate<String> isRight)
            throws ServletException {
        return attempt(request, type, name, () -> {
            Users.DigestAccount found = users.withDigest(name, realm, algorithm);
            boolean right = isRight.test(found == null ? algorithm.hash(name) : found.secret());
            return found == null || !right ? null : found.account();
        });
    }

    Attempt withCertificates(String type, List<X509Certificate> chain) throws ServletException {
        Users.Account found = ask(() -> users.withCertificates(chain));
        if (found == null) {
            count(Counter.LOGIN_FAILURES);
            return new Attempt.Failed();
        }
        return new Attempt.Succeeded(Identity.of(type, found.name(), found.roles()));
    }

    private Attempt attempt(HttpRequest request, String type, String name, Callable<Users.@Nullable Account> question)
            throws ServletException {
        String user = name.length() <= NAME_KEPT ? name : name.substring(0, NAME_KEPT) + name.hashCode();
        String address = network(request.state().exchange().peer().remote().getAddress());
        int locked = lockOuts.lockedFor(user, address);
        if (locked > 0) {
            count(Counter.LOGINS_LOCKED_OUT);
            return new Attempt.LockedOut(locked);
        }
        Users.Account found = ask(question);
        if (found == null) {
            lockOuts.failed(user, address);
            count(Counter.LOGIN_FAILURES);
            return new Attempt.Failed();
        }
        lockOuts.succeeded(user, address);
        return new Attempt.Succeeded(Identity.of(type, found.name(), found.roles()));
    }

    private static Users.@Nullable Account ask(Callable<Users.@Nullable Account> question) throws ServletException {
        try {
            return question.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServletException("Interrupted while the realm was asked", e);
        } catch (Exception e) {
            throw new ServletException("The realm failed", e);
        }
    }

    /** An address, or what is one client's of IPv6. */
    private static String network(@Nullable InetAddress address) {
        if (address == null) {
            return "";
        }
        byte[] octets = address.getAddress();
        return HexFormat.of().formatHex(address instanceof Inet6Address ? Arrays.copyOf(octets, IPV6_NETWORK) : octets);
    }
}
