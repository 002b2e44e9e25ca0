package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.HttpConstraintElement;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.HttpConstraint;
import jakarta.servlet.annotation.HttpMethodConstraint;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import jakarta.servlet.annotation.ServletSecurity.TransportGuarantee;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests security constraints from annotations and from code. Also tests requests over plain HTTP for pages that require TLS. */
class Servlet61Section134ServletSecurityTest {
    private static final String ANN = "Authorization: Basic YW5uOnNlY3JldA==";

    /** Allows only users with the role staff, and only confidential connections (TLS). */
    @ServletSecurity(@HttpConstraint(rolesAllowed = "staff", transportGuarantee = TransportGuarantee.CONFIDENTIAL))
    public static class Confidential extends WhoServlet {}

    /** GET is allowed for the role staff, DELETE for no user, and all other methods for every logged-in user. */
    @ServletSecurity(
            value = @HttpConstraint(rolesAllowed = "**"),
            httpMethodConstraints = {
                @HttpMethodConstraint(value = "GET", rolesAllowed = "staff"),
                @HttpMethodConstraint(value = "DELETE", emptyRoleSemantic = EmptyRoleSemantic.DENY)
            })
    public static class ByMethod extends WhoServlet {}

    /** Constrains only POST. */
    @ServletSecurity(httpMethodConstraints = @HttpMethodConstraint(value = "POST", rolesAllowed = "staff"))
    public static class PostOnly extends WhoServlet {}

    /** Inherits the constraints of {@link ByMethod}. */
    public static class Inheriting extends ByMethod {}

    private static final class Registering implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            event.getServletContext()
                    .addServlet("confidential", Confidential.class)
                    .addMapping("/confidential/*");
            event.getServletContext().addServlet("method", ByMethod.class).addMapping("/method", "/settled");
            event.getServletContext().addServlet("post", PostOnly.class).addMapping("/post");
            event.getServletContext().addServlet("inheriting", Inheriting.class).addMapping("/inheriting");
            event.getServletContext().addServlet("instance", new ByMethod()).addMapping("/instance");
            ServletRegistration.Dynamic code = event.getServletContext().addServlet("code", ByMethod.class);
            code.addMapping("/code");
            code.setServletSecurity(new ServletSecurityElement(new HttpConstraintElement(EmptyRoleSemantic.DENY)));
        }
    }

    private static Penstock start() throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .realm(GivenRealm.annAndBob())
                .context("/app", context -> context.listener(new Registering())
                        .constrain("/settled", "guest")
                        .basicLogin("office"))
                .start();
    }

    private static int status(Penstock server, String method, String path, String line) throws IOException {
        return RawExchange.of(
                        server,
                        method + " /app" + path + " HTTP/1.1\r\nHost: good.example\r\n" + line
                                + "\r\nConnection: close\r\n\r\n")
                .status();
    }

    @Test
    void aRequestOverPlainHttpForAConfidentialPageGets403WithoutAChallenge() throws Exception {
        try (Penstock server = start()) {
            for (String line : new String[] {"X: y", ANN}) {
                RawExchange refused = RawExchange.get(server, "/app/confidential/a", line);
                assertEquals(403, refused.status());
                assertEquals(List.of(), refused.values("WWW-Authenticate"));
            }
        }
    }

    @Test
    void anAnnotationConstrainsHttpMethods() throws Exception {
        try (Penstock server = start()) {
            for (String path : new String[] {"/method", "/inheriting"}) {
                String bob = "Authorization: Basic Ym9iOm90aGVy";
                assertEquals(401, status(server, "GET", path, "X: y"), path);
                assertEquals(401, status(server, "PUT", path, "X: y"), path);
                assertEquals(403, status(server, "DELETE", path, ANN), path);
                assertEquals(403, status(server, "GET", path, bob), path);
                assertEquals(200, status(server, "GET", path, ANN), path);
                assertEquals(200, status(server, "PUT", path, bob), path);
            }
        }
    }

    @Test
    void httpMethodsWithoutAConstraintNeedNoLogin() throws Exception {
        try (Penstock server = start()) {
            assertEquals(200, status(server, "GET", "/post", "X: y"));
            assertEquals(401, status(server, "POST", "/post", "X: y"));
            // The server ignores the annotation of a servlet that is registered as an instance.
            assertEquals(200, status(server, "GET", "/instance", "X: y"));
        }
    }

    @Test
    void constraintsFromCodeReplaceTheConstraintsOfTheAnnotation() throws Exception {
        try (Penstock server = start()) {
            assertEquals(403, status(server, "GET", "/code", ANN));
            assertEquals(403, status(server, "GET", "/settled", ANN));
            assertEquals(200, status(server, "GET", "/settled", "Authorization: Basic Ym9iOm90aGVy"));
        }
    }
}
