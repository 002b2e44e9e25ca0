package io.penstock.environment;

/** Converts resource names to full names, which can be compared. */
public final class ResourceName {
    private static final String SCHEME = "java:";
    private static final String ENVIRONMENT = "java:comp/env/";
    private static final String MODULE = "java:module";
    private static final String COMPONENT = "java:comp";

    private ResourceName() {}

    /**
     * Returns the full name, which begins with {@code java:}. In a web application, {@code java:module} and {@code java:comp} are the same,
     * because all components belong to one module.
     */
    public static String full(String name) {
        if (!name.startsWith(SCHEME)) {
            return ENVIRONMENT + name;
        }
        boolean ofModule = name.equals(MODULE) || name.startsWith(MODULE + "/");
        return ofModule ? COMPONENT + name.substring(MODULE.length()) : name;
    }
}
