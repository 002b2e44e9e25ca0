package io.penstock.boot;

import io.penstock.Context;
import jakarta.servlet.SessionCookieConfig;
import jakarta.servlet.http.Cookie;
import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.error.ErrorPage;
import org.springframework.boot.web.server.Cookie.SameSite;
import org.springframework.boot.web.server.MimeMappings;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.boot.web.server.servlet.ConfigurableServletWebServerFactory;
import org.springframework.boot.web.server.servlet.ContextPath;
import org.springframework.boot.web.server.servlet.DocumentRoot;
import org.springframework.boot.web.server.servlet.ServletContextInitializers;
import org.springframework.boot.web.server.servlet.ServletWebServerSettings;
import org.springframework.boot.web.server.servlet.Session;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.ResourceLoaderAware;
import org.springframework.core.io.ResourceLoader;

/**
 * Creates servers for servlet applications.
 *
 * <p>Thread: the thread that starts the application.
 */
public class PenstockServletWebServerFactory extends PenstockWebServerFactory
        implements ConfigurableServletWebServerFactory, ResourceLoaderAware {
    private static final Log LOG = LogFactory.getLog(PenstockServletWebServerFactory.class);

    private static final String SAME_SITE = "SameSite";

    private final ServletWebServerSettings settings = new ServletWebServerSettings();
    private @Nullable ResourceLoader resourceLoader;

    public PenstockServletWebServerFactory() {}

    /** @param port the port; 0 for any free port; -1 for no port */
    public PenstockServletWebServerFactory(int port) {
        super(port);
    }

    /**
     * @param contextPath the context path; empty for the root
     * @param port the port; 0 for any free port; -1 for no port
     */
    public PenstockServletWebServerFactory(String contextPath, int port) {
        super(port);
        settings.setContextPath(ContextPath.of(contextPath));
    }

    @Override
    public ServletWebServerSettings getSettings() {
        return settings;
    }

    @Override
    public void setResourceLoader(ResourceLoader loader) {
        resourceLoader = loader;
    }

    @Override
    public WebServer getWebServer(ServletContextInitializer... initializers) {
        TempDirs folders = new TempDirs(Math.max(getPort(), 0));
        ServerKeys keys = new ServerKeys();
        Session session = settings.getSession();
        if (session.isPersistent() && purpose() == Purpose.APPLICATION && !hasSessionStore()) {
            File directory = session.getSessionStoreDirectory().getValidDirectory(true);
            keys.set("session-dir", directory.getPath(), "server.servlet.session.persistent");
        }
        return webServer(
                settings.getContextPath().toString(),
                context -> define(context, folders, initializers),
                keys,
                resourceLoader == null ? null : resourceLoader.getClassLoader(),
                folders::cleanup);
    }

    private void define(Context context, TempDirs folders, ServletContextInitializer... initializers) {
        String displayName = settings.getDisplayName();
        if (displayName != null) {
            context.displayName(displayName);
        }
        context.sessionTimeout(minutes(settings.getSession().getTimeout()));
        settings.getLocaleCharsetMappings().forEach(context::localeEncoding);
        for (MimeMappings.Mapping mapping : settings.getMimeMappings()) {
            context.mimeType(mapping.getExtension(), mapping.getMimeType());
        }
        files(context, folders);
        for (ErrorPage page : getErrorPages()) {
            add(page, context);
        }
        context.initializer((none, servletContext) -> {
            ResponseFieldsFilter.addTo(servletContext, getServerHeader(), settings.getCookieSameSiteSuppliers());
            SameSite sameSite = settings.getSession().getCookie().getSameSite();
            if (sameSite != null) {
                setSameSite(servletContext.getSessionCookieConfig(), sameSite);
            }
        });
        ServletContextInitializers all = ServletContextInitializers.from(settings, initializers);
        context.initializer((none, servletContext) -> {
            for (ServletContextInitializer initializer : all) {
                initializer.onStartup(servletContext);
            }
            settings.getWebListenerClassNames().forEach(servletContext::addListener);
        });
        context.initializer((none, servletContext) -> askForSameSite(servletContext.getSessionCookieConfig()));
    }

    /** Rounds a session timeout up to whole minutes, because the servlet API has only whole minutes. */
    private static Duration minutes(@Nullable Duration timeout) {
        if (timeout == null || timeout.isNegative() || timeout.isZero()) {
            return Duration.ZERO; // zero means that sessions never expire
        }
        return Duration.ofMinutes(timeout.plusMinutes(1).minusNanos(1).toMinutes());
    }

    /**
     * Sets the attribute {@code SameSite} of the session cookie to the value of the suppliers in Boot's settings. The property for the
     * session cookie has precedence over the suppliers, as with Boot's Tomcat. The suppliers are called once, after all initializers. So
     * the cookies of all sessions have the same name and attributes.
     */
    private void askForSameSite(SessionCookieConfig session) {
        if (settings.getSession().getCookie().getSameSite() != null || session.getAttribute(SAME_SITE) != null) {
            return;
        }
        Cookie cookie = new Cookie(session.getName() == null ? "JSESSIONID" : session.getName(), "");
        session.getAttributes().forEach(cookie::setAttribute);
        SameSite supplied = ResponseFieldsFilter.sameSite(cookie, settings.getCookieSameSiteSuppliers());
        if (supplied != null) {
            setSameSite(session, supplied);
        }
    }

    private static void setSameSite(SessionCookieConfig session, SameSite sameSite) {
        if (sameSite != SameSite.OMITTED) {
            session.setAttribute(SAME_SITE, sameSite.attributeValue());
        }
    }

    private void files(Context context, TempDirs folders) {
        DocumentRoot found = new DocumentRoot(LOG);
        found.setDirectory(settings.getDocumentRoot());
        File root = found.getValidDirectory();
        context.resources(root == null ? folders.createTempDir("penstock-docbase") : root.toPath());
        for (URL library : settings.getStaticResourceUrls()) {
            context.libraryResources(path(library));
        }
        if (!settings.isRegisterDefaultServlet()) {
            context.withoutFiles();
        }
    }

    /** The path of a jar or folder on the class path. For a jar inside a jar, this is a path in the file system of Boot's loader. */
    private static Path path(URL library) {
        String text = library.toString();
        if (text.startsWith("jar:")) {
            text = text.substring("jar:".length(), text.lastIndexOf("!/"));
        }
        try {
            return Path.of(new URI(text));
        } catch (URISyntaxException e) {
            throw new WebServerException("The resources of " + library + " cannot be found", e);
        }
    }

    private static void add(ErrorPage page, Context context) {
        Class<? extends Throwable> exception = page.getException();
        if (page.isGlobal()) {
            context.errorPage(page.getPath());
        } else if (exception != null) {
            context.errorPage(exception, page.getPath());
        } else {
            context.errorPage(page.getStatusCode(), page.getPath());
        }
    }
}
