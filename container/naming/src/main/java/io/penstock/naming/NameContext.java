package io.penstock.naming;

import io.penstock.environment.EnvironmentException;
import io.penstock.environment.ResourceName;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.naming.Context;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import org.jspecify.annotations.Nullable;

/** One application's names below a prefix, such as {@code java:comp/env/}. */
final class NameContext extends ReadOnlyContext {
    private static final String SCHEME = "java:";

    private final ApplicationNames names;
    private final String prefix;

    /** @param prefix a full name that ends with a slash, or {@code java:} for all names */
    NameContext(ApplicationNames names, String prefix, @Nullable Hashtable<?, ?> environment) {
        super(environment);
        this.names = names;
        this.prefix = prefix;
    }

    @Override
    public Object lookup(String name) throws NamingException {
        String full = full(name);
        Object found = find(full);
        if (found != null) {
            return found;
        }
        String below = below(full);
        if (full.equals(SCHEME)
                || isEmptyPlace(below)
                || names.names().stream().anyMatch(each -> each.startsWith(below))) {
            return new NameContext(names, below, getEnvironment());
        }
        throw new NameNotFoundException("nothing is bound to '" + full + "'");
    }

    private @Nullable Object find(String full) throws NamingException {
        try {
            return names.find(full);
        } catch (EnvironmentException e) {
            NamingException failure = new NamingException(e.getMessage());
            failure.setRootCause(e);
            throw failure;
        }
    }

    /** Whether the context always exists, even without names. */
    private static boolean isEmptyPlace(String below) {
        return below.equals("java:comp/")
                || below.equals("java:comp/env/")
                || below.equals("java:app/")
                || below.equals("java:global/");
    }

    /** Converts a name relative to this context to a full name. Also accepts the form {@code java:/comp}, which is incorrect but common. */
    private String full(String name) {
        String relative = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
        if (relative.startsWith(SCHEME)) {
            String path = relative.substring(SCHEME.length());
            relative = SCHEME + (path.startsWith("/") ? path.substring(1) : path);
            return ResourceName.full(relative);
        }
        if (relative.isEmpty()) {
            return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
        }
        return ResourceName.full(prefix + relative);
    }

    private static String below(String full) {
        return full.equals(SCHEME) ? SCHEME : full + "/";
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        Map<String, NameClassPair> pairs = new LinkedHashMap<>();
        for (Map.Entry<String, String> child : children(name).entrySet()) {
            Object object = child.getValue().endsWith("/") ? null : find(child.getValue());
            String type =
                    object == null ? Context.class.getName() : object.getClass().getName();
            if (object != null || child.getValue().endsWith("/")) {
                pairs.put(child.getKey(), new NameClassPair(child.getKey(), type));
            }
        }
        return new Listing<>(pairs.values().iterator());
    }

    @Override
    public NamingEnumeration<javax.naming.Binding> listBindings(String name) throws NamingException {
        Map<String, javax.naming.Binding> bindings = new LinkedHashMap<>();
        for (Map.Entry<String, String> child : children(name).entrySet()) {
            String full = child.getValue();
            Object object = full.endsWith("/") ? new NameContext(names, full, getEnvironment()) : find(full);
            if (object != null) {
                bindings.put(child.getKey(), new javax.naming.Binding(child.getKey(), object));
            }
        }
        return new Listing<>(bindings.values().iterator());
    }

    /**
     * The names directly below a name. Each key is the last segment of one of these names. The value is the full name, which ends with a
     * slash if it is the name of a context.
     */
    private Map<String, String> children(String name) throws NamingException {
        String full = full(name);
        String below = below(full);
        Map<String, String> children = new LinkedHashMap<>();
        for (String each : names.names()) {
            if (each.startsWith(below)) {
                int slash = each.indexOf('/', below.length());
                String segment = slash < 0 ? each.substring(below.length()) : each.substring(below.length(), slash);
                children.putIfAbsent(segment, slash < 0 ? each : each.substring(0, slash + 1));
            }
        }
        if (children.isEmpty() && find(full) != null) {
            throw new NotContextException("'" + full + "' is not a context");
        }
        return children;
    }

    @Override
    public String getNameInNamespace() {
        return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }
}
