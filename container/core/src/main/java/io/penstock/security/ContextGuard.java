package io.penstock.security;

import io.penstock.context.Resource;
import io.penstock.context.SecuritySettings;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.exchange.Admission;
import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.limits.HelpPage;
import io.penstock.limits.Key;
import io.penstock.mapping.Match;
import io.penstock.mapping.MatchKind;
import io.penstock.request.Guard;
import io.penstock.request.HttpRequest;
import io.penstock.request.Identity;
import io.penstock.security.Mechanism.Moment;
import io.penstock.security.Rule.Access;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enforces the security constraints of one context. Logs users in by the mechanism of the context's {@code login-config}.
 *
 * <p>Thread: reactors (selector threads) call {@link #atHead}, which reads only immutable tables. Workers call the other methods. Owns: the
 * state of the login mechanism.
 */
public final class ContextGuard implements Guard {
    private static final Logger LOG = LoggerFactory.getLogger(ContextGuard.class);

    private final WebContext context;
    private final Logins logins;
    private final ConstraintTable constraints;
    private final @Nullable Mechanism mechanism;
    private final @Nullable FormMechanism form;

    private ContextGuard(
            WebContext context, Logins logins, ConstraintTable constraints, @Nullable Mechanism mechanism) {
        this.context = context;
        this.logins = logins;
        this.constraints = constraints;
        this.mechanism = mechanism;
        this.form = mechanism instanceof FormMechanism pages ? pages : null;
    }

    /**
     * Creates the guard of a context. The registration of servlets must be closed.
     *
     * @throws IllegalArgumentException if the context declares a login mechanism that is unknown, or impossible for the server's users
     */
    public static ContextGuard of(WebContext context, Logins logins) {
        requirePossible(context, logins);
        SecuritySettings settings = context.settings().security();
        List<SecuritySettings.Constraint> all = ServletConstraints.of(context);
        ConstraintTable table =
                ConstraintTable.of(all, context.roles(), settings.denyUncovered() ? Rule.DENIED : Rule.OPEN);
        Mechanism mechanism = mechanism(context, logins, settings.login());
        boolean needsUsers = all.stream()
                .anyMatch(constraint ->
                        constraint.roles() != null && !constraint.roles().isEmpty());
        if (needsUsers && mechanism == null) {
            LOG.warn(
                    "{} has constraints for users and no <login-config>: every request for these resources is denied",
                    context);
        } else if (mechanism != null && !logins.hasUsers()) {
            LOG.warn(
                    "{} needs users to log in, but the server has no users (realm-file){}",
                    context,
                    HelpPage.USERS.more());
        }
        if (!table.uncovered().isEmpty()) {
            LOG.warn(
                    "{}: no constraint covers {}: {}",
                    context,
                    String.join("; ", table.uncovered()),
                    settings.denyUncovered() ? "denied" : "open to everybody");
        }
        return new ContextGuard(context, logins, table, mechanism);
    }

    /**
     * Checks that the server's users can log in as the context declares.
     *
     * @throws IllegalArgumentException if no user can
     */
    public static void requirePossible(WebContext context, Logins logins) {
        SecuritySettings.Login login = context.settings().security().login();
        String method = login == null ? "" : login.method().toUpperCase(Locale.ROOT);
        if ((method.equals("DIGEST") || method.equals("CLIENT-CERT")) && logins.needsPasswords()) {
            throw new IllegalArgumentException("<auth-method> " + method + " does not work with users of a directory ("
                    + Key.REALM_LDAP_URL.id() + "), which checks passwords only: use BASIC or FORM");
        }
    }

    private static @Nullable Mechanism mechanism(
            WebContext context, Logins logins, SecuritySettings.@Nullable Login login) {
        if (login == null) {
            return null;
        }
        String path = context.getContextPath().isEmpty() ? "/" : context.getContextPath();
        String realm = login.realm() == null || login.realm().isBlank() ? path : login.realm();
        return switch (login.method().toUpperCase(Locale.ROOT)) {
            case "BASIC" -> new BasicMechanism(logins, realm);
            case "DIGEST" -> new DigestMechanism(logins, realm, context.name());
            case "FORM" -> new FormMechanism(context, logins, page(login.formLoginPage()), page(login.formErrorPage()));
            case "CLIENT-CERT" -> new CertificateMechanism(logins);
            default ->
                throw new IllegalArgumentException(
                        "<auth-method> must be BASIC, DIGEST, FORM or CLIENT-CERT, not '" + login.method() + "'");
        };
    }

    private static String page(@Nullable String path) {
        if (path == null || !path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "FORM needs a <form-login-page> and a <form-error-page>, each beginning with /");
        }
        return path;
    }

    @Override
    public Admission.@Nullable Refused atHead(RequestHead head, String path) {
        if (constraints.isEmpty()) {
            return null;
        }
        Rule rule = constraints.rule(path, head.method());
        if (rule.access() == Access.DENIED) {
            return isSubmission(head.method(), path) || mayBeRestored(head) ? null : refused(403, Fields.EMPTY);
        }
        if (!rule.needsUser()
                // This method does not know whether the connection is secure. If the rule requires a secure connection,
                // a worker checks the connection before the server asks for a password.
                || rule.needsConfidentiality()
                || mechanism == null
                || mechanism.hasCredentials(head)
                || SessionLogin.mayHaveSession(context, head)
                || isSubmission(head.method(), path)) {
            return null;
        }
        Fields challenge = mechanism.challenge();
        return challenge == null ? null : refused(401, challenge);
    }

    /**
     * Refuses a request as soon as its head has arrived. Returns null if the application has an error page for the status, because only a
     * worker can send this page.
     */
    private Admission.@Nullable Refused refused(int status, Fields fields) {
        return context.settings().errorPages().forStatus(status) == null ? new Admission.Refused(status, fields) : null;
    }

    /**
     * Whether the request can be the GET that follows the redirect after a login. A saved request, perhaps with another method, replaces
     * this GET.
     */
    private boolean mayBeRestored(RequestHead head) {
        return form != null && head.method().equals("GET") && SessionLogin.mayHaveSession(context, head);
    }

    private boolean isSubmission(String method, String path) {
        return form != null && FormMechanism.isSubmission(method, path);
    }

    @Override
    public @Nullable Exchange restored(HttpRequest request) {
        if (form == null) {
            return null;
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // Listeners of the application can be called, for example if the session has expired.
        thread.setContextClassLoader(context.getClassLoader());
        try {
            return form.restored(request);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public Decision enter(HttpRequest request) throws IOException, ServletException {
        Identity known = request.state().hasSessions() ? SessionLogin.of(request) : null;
        if (known != null) {
            request.state().identity(known);
        }
        if (form != null && isSubmission(request.getMethod(), request.view().path())) {
            Rule rule = constraints.rule(request.view().path(), request.getMethod());
            if (lacksConfidentiality(rule, request)) {
                request.response().sendError(HttpServletResponse.SC_FORBIDDEN);
            } else {
                form.submit(request);
            }
            return Decision.ANSWERED;
        }
        if (form != null && known != null && form.isLost(request)) {
            form.redirectToRoot(request);
            return Decision.ANSWERED;
        }
        if (constraints.isEmpty()) {
            return Decision.GRANTED;
        }
        String path = request.view().path();
        Decision decision = enter(request, constraints.rule(path, request.getMethod()));
        String welcome = decision == Decision.GRANTED ? welcome(request) : null;
        return welcome == null ? decision : enter(request, constraints.rule(welcome, request.getMethod()));
    }

    private Decision enter(HttpRequest request, Rule rule) throws IOException, ServletException {
        HttpServletResponse response = request.response();
        if (rule.access() == Access.DENIED) {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
            return Decision.ANSWERED;
        }
        if (lacksConfidentiality(rule, request)) {
            request.response().sendError(HttpServletResponse.SC_FORBIDDEN);
            return Decision.ANSWERED;
        }
        if (!rule.needsUser()) {
            return Decision.GRANTED;
        }
        Identity user = request.state().identity();
        if (user == null && mechanism != null) {
            user = mechanism.authenticate(request, response, Moment.ENTRY);
            if (user == null) {
                return Decision.ANSWERED;
            }
            request.state().identity(user);
        }
        if (user == null || !rule.permits(user)) {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
            return Decision.ANSWERED;
        }
        // The application can change this field later.
        response.setHeader("Cache-Control", "private");
        SessionLogin.use(request);
        return Decision.GRANTED;
    }

    /**
     * The welcome file of a directory request. The constraints of the welcome file also apply. Otherwise, a request for the directory would
     * bypass these constraints.
     */
    private @Nullable String welcome(HttpRequest request) {
        String path = request.view().path().isEmpty() ? "/" : request.view().path();
        if (!path.endsWith("/") || isServlets(request.view().match())) {
            return null;
        }
        return context.settings().welcomeFiles().find(path, this::isFile, file -> context.servlets().all().stream()
                .anyMatch(servlet -> servlet.mappings().contains(file)));
    }

    /** Whether a servlet of the application has the path. It can map the container's servlet for files to further patterns. */
    private boolean isServlets(@Nullable Match<ServletHolder> match) {
        return match != null
                && match.kind() != MatchKind.DEFAULT
                && !context.servlets().isImplicit(match.target());
    }

    private boolean isFile(String path) {
        Resource found = context.settings().resources().find(path);
        return found != null && found.kind() != Resource.Kind.DIRECTORY;
    }

    private static boolean lacksConfidentiality(Rule rule, HttpRequest request) {
        return rule.needsConfidentiality() && !request.isSecure();
    }

    @Override
    public boolean authenticate(HttpRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if (mechanism == null) {
            throw new ServletException("The application has no login mechanism");
        }
        if (response.isCommitted()) {
            throw new IllegalStateException("The response is committed: it cannot ask for a login");
        }
        Identity user = mechanism.authenticate(request, response, Moment.BY_APPLICATION);
        request.state().identity(user);
        return user != null;
    }

    @Override
    public void login(HttpRequest request, String name, String password) throws ServletException {
        if (mechanism != null && !mechanism.takesPasswords()) {
            throw new ServletException("The application has no login mechanism that takes passwords");
        }
        String type = mechanism == null ? "LOGIN" : mechanism.type();
        Attempt attempt = logins.withPassword(request, type, name, password);
        if (attempt instanceof Attempt.Busy) {
            throw new ServletException("The server checks too many passwords at the moment; try again in a second");
        }
        if (!(attempt instanceof Attempt.Succeeded succeeded)) {
            throw new ServletException("The name or the password is wrong, or too many logins have failed");
        }
        request.state().identity(succeeded.user());
        // A committed response cannot set a session cookie.
        if (!request.response().isCommitted()) {
            SessionLogin.remember(request, succeeded.user());
        }
    }

    @Override
    public void logout(HttpRequest request) {
        SessionLogin.forget(request);
    }
}
