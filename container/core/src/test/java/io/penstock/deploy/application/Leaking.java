package io.penstock.deploy.application;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.beans.IntrospectionException;
import java.beans.Introspector;
import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A listener that causes typical memory leaks of applications and libraries. The listener never cleans up. */
@WebListener
public class Leaking implements ServletContextListener {
    /** The name of a system property. The value is a list. Each deployment adds the class loader of the application to this list. */
    public static final String LOADERS = "penstock.test.loaders";

    /** The name of an init parameter. If the parameter is set, the application starts a thread that ends only after an interrupt. */
    public static final String THREAD = "thread";

    /**
     * The name of an init parameter. If the parameter is set, the application runs a process, and a thread of the JDK waits for the end of
     * the process.
     */
    public static final String PROCESS = "process";

    private static final ThreadLocal<Own> LOCAL = new ThreadLocal<>();
    private static final InheritableThreadLocal<Own> INHERITED = new InheritableThreadLocal<>();

    /** A class of the application. Its objects refer to the class loader of the application. */
    public static class Own implements Serializable, Supplier<String> {
        private static final long serialVersionUID = 1L;
        private final transient byte[] ballast = new byte[64 * 1024];

        @Override
        public String get() {
            return "own " + ballast.length;
        }
    }

    /**
     * A record. The JDK generates its {@code equals}, {@code hashCode} and {@code toString} at the first call. The generated code must not
     * keep the class loader of the application in memory.
     */
    private record Held(Leaking by) {}

    /** A log level whose class belongs to the application. */
    private static final class Loud extends Level {
        private static final long serialVersionUID = 1L;

        Loud() {
            super("LOUD", 1234);
        }
    }

    /** A JDBC driver that cannot connect. */
    public static final class OwnDriver implements Driver {
        @Override
        public Connection connect(String url, Properties info) {
            return null;
        }

        @Override
        public boolean acceptsURL(String url) {
            return false;
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getLogger("own");
        }
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        @SuppressWarnings("unchecked")
        List<WeakReference<ClassLoader>> loaders =
                (List<WeakReference<ClassLoader>>) System.getProperties().get(LOADERS);
        loaders.add(new WeakReference<>(Leaking.class.getClassLoader()));
        leave();
        try {
            DriverManager.registerDriver(new OwnDriver());
            Introspector.getBeanInfo(Own.class);
        } catch (SQLException | IntrospectionException e) {
            throw new IllegalStateException(e);
        }
        Logger.getLogger("io.penstock.test.leaking").setLevel(new Loud());
        ObjectStreamClass.lookup(Own.class);
        Proxy.newProxyInstance(
                Leaking.class.getClassLoader(), new Class<?>[] {Supplier.class}, (proxy, method, args) -> "proxied");
        if (!new Held(null).equals(new Held(null)) || new Held(null).hashCode() != 0) {
            throw new IllegalStateException(new Held(null).toString());
        }
        if (event.getServletContext().getInitParameter(PROCESS) != null) {
            leaveProcess();
        }
        if (event.getServletContext().getInitParameter(THREAD) != null) {
            leaveThread(event.getServletContext().getInitParameter(THREAD));
        }
    }

    private static void leave() {
        LOCAL.set(new Own());
        INHERITED.set(new Own());
    }

    private static void leaveProcess() {
        try {
            Path java = Path.of(System.getProperty("java.home"), "bin", "java");
            new ProcessBuilder(java.toString(), "-version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void leaveThread(String name) {
        Thread thread = new Thread(
                () -> {
                    synchronized (Own.class) {
                        try {
                            while (true) {
                                Own.class.wait();
                            }
                        } catch (InterruptedException e) {
                            // The interrupt ends the thread.
                            LOCAL.remove();
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Sets a thread local on each worker that runs a request of this servlet, and never removes the value. */
    @WebServlet("/leave")
    public static class LeavingServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            leave();
            request.getSession().setAttribute("own", new Own());
            response.getOutputStream().print(LOCAL.get().get());
        }
    }
}
