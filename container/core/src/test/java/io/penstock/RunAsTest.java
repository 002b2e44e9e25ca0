package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.security.RunAs;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;

/**
 * Tests servlets with a run-as role. The methods of such a servlet run with this role. {@code getRemoteUser} still returns the user of the
 * request.
 */
class RunAsTest {
    private static final List<String> SEEN = new CopyOnWriteArrayList<>();

    /** Returns the names of the current subject's principals. */
    private static String caller() {
        try {
            Subject subject = current();
            return subject == null
                    ? "nobody"
                    : subject.getPrincipals().stream()
                            .map(Principal::getName)
                            .toList()
                            .toString();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Newer Java versions have the method {@code Subject.current}. Older versions need the access controller. */
    @SuppressWarnings("removal")
    private static Subject current() throws ReflectiveOperationException {
        try {
            return (Subject) Subject.class.getMethod("current").invoke(null);
        } catch (NoSuchMethodException older) {
            return Subject.getSubject(java.security.AccessController.getContext());
        }
    }

    /** Records the current subject in the methods {@code init}, {@code service} and {@code destroy}. */
    public static class RecordingServlet extends GenericServlet {
        @Override
        public void init() {
            SEEN.add("init " + caller());
        }

        @Override
        public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
            HttpServletRequest asked = (HttpServletRequest) request;
            SEEN.add("service " + caller() + " for " + asked.getRemoteUser() + " " + asked.isUserInRole("auditor"));
            if ("/fail".equals(asked.getPathInfo())) {
                throw new ServletException("on purpose");
            }
            if ("/crash".equals(asked.getPathInfo())) {
                throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public void destroy() {
            SEEN.add("destroy " + caller());
        }
    }

    /** A servlet with an annotation for the run-as role. Its PostConstruct and PreDestroy methods also record the current subject. */
    @RunAs("auditor")
    public static class Annotated extends RecordingServlet {
        @PostConstruct
        void initialize() {
            SEEN.add("initialize " + caller());
        }

        @PreDestroy
        void cleanUp() {
            SEEN.add("cleanUp " + caller());
        }
    }

    private static final class Registering implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            ServletRegistration.Dynamic servlet =
                    event.getServletContext().addServlet("recording", RecordingServlet.class);
            servlet.addMapping("/as/*");
            servlet.setRunAsRole("auditor");
            event.getServletContext()
                    .addServlet("plain", RecordingServlet.class)
                    .addMapping("/plain");
        }
    }

    @Test
    void theMethodsInitAndServiceAndDestroyRunWithTheRunAsRole() throws Exception {
        SEEN.clear();
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .realm(GivenRealm.annAndBob())
                .context("/", context -> context.listener(new Registering())
                        .constrain("/as/*", "staff")
                        .basicLogin("office"))
                .start()) {
            String ann = "Authorization: Basic YW5uOnNlY3JldA==";
            assertEquals(200, RawExchange.get(server, "/as/x", ann).status());
            assertEquals(500, RawExchange.get(server, "/as/fail", ann).status());
            assertEquals(500, RawExchange.get(server, "/as/crash", ann).status());
            assertEquals(
                    List.of(
                            "init [auditor]",
                            "service [auditor] for ann false",
                            "service [auditor] for ann false",
                            "service [auditor] for ann false"),
                    SEEN);
            SEEN.clear();
            RawExchange.get(server, "/plain");
            assertEquals(List.of("init nobody", "service nobody for null false"), SEEN);
            SEEN.clear();
        }
        assertEquals(2, SEEN.size(), SEEN.toString());
        assertEquals(
                List.of("destroy [auditor]", "destroy nobody"),
                SEEN.stream().sorted().toList());
    }

    @Test
    void postConstructAndPreDestroyMethodsRunWithTheRunAsRole() throws Exception {
        SEEN.clear();
        ServletContextListener registering = new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                event.getServletContext()
                        .addServlet("annotated", Annotated.class)
                        .addMapping("/");
            }
        };
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/", context -> context.listener(registering))
                .start()) {
            assertEquals(200, RawExchange.get(server, "/").status());
        }
        assertEquals(
                List.of(
                        "initialize [auditor]",
                        "init [auditor]",
                        "service [auditor] for null false",
                        "destroy [auditor]",
                        "cleanUp [auditor]"),
                SEEN);
    }
}
