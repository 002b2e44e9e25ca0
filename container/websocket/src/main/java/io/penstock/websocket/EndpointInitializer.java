package io.penstock.websocket;

import io.penstock.websocket.frame.UnfinishedMessages;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.HandlesTypes;
import jakarta.websocket.Endpoint;
import jakarta.websocket.server.ServerApplicationConfig;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpoint;
import java.util.LinkedHashSet;
import java.util.Set;
import org.glassfish.tyrus.server.TyrusServerContainer;
import org.glassfish.tyrus.servlet.TyrusHttpUpgradeHandler;
import org.glassfish.tyrus.servlet.TyrusServletContainerInitializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a WebSocket engine for each application with endpoints. The engine has limits on the size of messages.
 *
 * <p>Thread: the thread that starts the application.
 */
@HandlesTypes({ServerEndpoint.class, ServerApplicationConfig.class, Endpoint.class})
final class EndpointInitializer implements ServletContainerInitializer {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointInitializer.class);
    private static final String ENGINE =
            TyrusServletContainerInitializer.class.getName().replace('.', '/') + ".class";

    @Override
    public void onStartup(@Nullable Set<Class<?>> types, ServletContext context) throws ServletException {
        if (types == null || types.isEmpty()) {
            return;
        }
        if (bringsEngine(context)) {
            LOG.info("{}: uses the Tyrus library of the application", name(context));
            return;
        }
        start(types, context);
    }

    /**
     * Whether the application contains its own WebSocket engine. A deployed application cannot load classes of the server's engine. An
     * embedded application shares the class path of the server, and uses the server's engine.
     */
    private static boolean bringsEngine(ServletContext context) {
        ClassLoader loader = context.getClassLoader();
        return loader.getResource(ENGINE) != null && !sharesOurs(loader);
    }

    private static boolean sharesOurs(ClassLoader loader) {
        try {
            return loader.loadClass(TyrusServletContainerInitializer.class.getName())
                    == TyrusServletContainerInitializer.class;
        } catch (ClassNotFoundException e) {
            LOG.debug("Not ours: {}", e.toString());
            return false;
        }
    }

    /** Starts the engine. {@link WebSockets} also calls this method, for contexts that a program creates. */
    static ServerContainer start(Set<Class<?>> types, ServletContext context) throws ServletException {
        EngineLog.quieten();
        MessageBounds bounds = MessageBounds.of(context, types);
        UnfinishedMessages unfinished = new UnfinishedMessages(bounds.unfinished());
        UserConnections users = new UserConnections();
        context.addListener(users);
        addFilter(context, unfinished, users);
        context.setInitParameter(TyrusHttpUpgradeHandler.FRAME_BUFFER_SIZE, Integer.toString(bounds.frame()));
        new TyrusServletContainerInitializer()
                .onStartup(new LinkedHashSet<>(types), context); // a copy: the engine removes types
        if (!(context.getAttribute(ServerContainer.class.getName()) instanceof TyrusServerContainer engines)) {
            throw new ServletException("The WebSocket engine of " + name(context) + " has not started");
        }
        UndeployedEndpoints undeployed = new UndeployedEndpoints(engines, bounds.frame(), unfinished, users);
        ServerContainer container = new EndpointContainer(engines, undeployed);
        context.setAttribute(ServerContainer.class.getName(), container);
        container.setDefaultMaxTextMessageBufferSize(bounds.message());
        container.setDefaultMaxBinaryMessageBufferSize(bounds.message());
        LOG.debug("{}: WebSocket endpoints {}, messages up to {} bytes", name(context), types, bounds.message());
        return container;
    }

    private static void addFilter(ServletContext context, UnfinishedMessages unfinished, UserConnections users) {
        FilterRegistration.Dynamic filter =
                context.addFilter(UpgradeFilter.class.getName(), new UpgradeFilter(unfinished, users));
        // The filter is null if this context already has an engine.
        if (filter != null) {
            filter.setAsyncSupported(true);
            filter.addMappingForUrlPatterns(null, false, "/*");
        }
    }

    private static String name(ServletContext context) {
        return context.getContextPath().isEmpty() ? "/" : context.getContextPath();
    }
}
