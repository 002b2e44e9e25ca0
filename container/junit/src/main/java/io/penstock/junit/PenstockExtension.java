package io.penstock.junit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.Penstock;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A server for tests, at a free port of this machine. If the extension is in a static field, all tests of the class and of its nested
 * classes use one server. If the extension is in an instance field, each test has its own server. A test parameter of the type {@link
 * Penstock} gets the server. A test parameter of the type {@link URI} gets the server's address, {@code http://127.0.0.1:PORT/}.
 *
 * <pre>{@code
 * class HelloTest {
 *     @RegisterExtension
 *     static final PenstockExtension server =
 *             PenstockExtension.with(builder -> builder.context("/", context -> context.servlet("hello", new Hello(), "/hello")));
 *
 *     @Test
 *     void itGreets(URI server) {
 *         // ask server.resolve("/hello")
 *     }
 * }
 * }</pre>
 *
 * <p>Thread: any, because test classes that share the field can run in parallel. Owns: the server, which ends after the tests.
 */
public final class PenstockExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {
    private final Definition definition;
    private volatile Scope scope = Scope.TEST;
    private volatile @Nullable Penstock server;

    /** The number of classes whose tests run at the moment. The class with the field, its nested classes and its subclasses are counted. */
    @GuardedBy("this")
    private int classes;

    private enum Scope {
        CLASS,
        TEST
    }

    /** Defines the server. The extension calls the definition before each start of the server. */
    @FunctionalInterface
    public interface Definition {
        /**
         * @param builder the builder of a server at a free port of {@code 127.0.0.1}
         * @throws Exception if the definition fails; the tests fail with this exception
         */
        void define(Penstock.Builder builder) throws Exception;
    }

    private PenstockExtension(Definition definition) {
        this.definition = definition;
    }

    /** Creates an extension whose server has the settings of the definition. */
    public static PenstockExtension with(Definition definition) {
        return new PenstockExtension(definition);
    }

    /**
     * The running server.
     *
     * @throws IllegalStateException if the server does not run, because no test runs
     */
    public Penstock server() {
        Penstock running = server;
        if (running == null) {
            throw new IllegalStateException("the server runs only while tests run");
        }
        return running;
    }

    /**
     * The address of the server.
     *
     * @throws IllegalStateException if the server does not run, because no test runs
     */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + server().port() + "/");
    }

    @Override
    public synchronized void beforeAll(ExtensionContext context) throws Exception {
        scope = Scope.CLASS;
        classes++;
        if (server == null) {
            start();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        if (scope == Scope.TEST) {
            start();
        }
    }

    private void start() throws Exception {
        Penstock.Builder builder = Penstock.builder().host("127.0.0.1").port(0);
        definition.define(builder);
        server = builder.start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (scope == Scope.TEST) {
            stop();
        }
    }

    @Override
    public synchronized void afterAll(ExtensionContext context) {
        classes--;
        if (classes == 0) {
            stop();
        }
    }

    private void stop() {
        Penstock running = server;
        server = null;
        if (running != null) {
            running.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return List.of(Penstock.class, URI.class)
                .contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (server == null) {
            throw new ParameterResolutionException(
                    "the server of this field has not started yet: make the field static");
        }
        return parameter.getParameter().getType() == URI.class ? uri() : server();
    }
}
