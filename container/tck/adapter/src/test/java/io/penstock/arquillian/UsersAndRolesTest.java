package io.penstock.arquillian;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.annotation.HttpConstraint;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URL;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests logins of users that {@code arquillian.xml} defines. Only users with the role {@code manager} have access to the servlet. */
@ExtendWith(ArquillianExtension.class)
class UsersAndRolesTest {

    /** A servlet for users with the role {@code manager}. */
    @WebServlet("/books")
    @ServletSecurity(@HttpConstraint(rolesAllowed = "manager"))
    public static class BooksServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("opened by " + request.getRemoteUser());
        }
    }

    @Deployment(testable = false)
    static WebArchive shop() {
        return ShrinkWrap.create(WebArchive.class, "shop.war")
                .addClass(BooksServlet.class)
                .setWebXML(new StringAsset("""
                        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                          <login-config><auth-method>BASIC</auth-method></login-config>
                        </web-app>
                        """));
    }

    @Test
    void aUserWithTheRequiredRoleHasAccess(@ArquillianResource URL url) throws Exception {
        assertEquals("opened by ann", Client.get(url, "books", "ann", "secret").body());
    }

    @Test
    void aUserWithoutTheRequiredRoleGetsStatus403(@ArquillianResource URL url) throws Exception {
        assertEquals(403, Client.get(url, "books", "bob", "sesame").statusCode());
    }

    @Test
    void aRequestWithoutCorrectCredentialsGetsStatus401(@ArquillianResource URL url) throws Exception {
        assertEquals(401, Client.get(url, "books").statusCode());
        assertEquals(401, Client.get(url, "books", "ann", "guess").statusCode());
    }
}
