package io.penstock.context;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.ServletSecurity;
import java.lang.annotation.Annotation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies the annotations of a servlet that is registered by code (Servlet 6.1, section 4.4.1): security, multipart, run-as role, declared roles.
 * Annotations of {@code jakarta.annotation} are matched by name, because the application can contain its own copies of their classes.
 */
final class ServletAnnotations {
    private static final String RUN_AS = "jakarta.annotation.security.RunAs";
    private static final String DECLARE_ROLES = "jakarta.annotation.security.DeclareRoles";

    private ServletAnnotations() {}

    /** Applies the annotations. Does not replace settings that the holder already has. */
    static void apply(Class<?> type, ServletHolder holder, Roles roles) {
        ServletSecurity security = type.getAnnotation(ServletSecurity.class);
        if (security != null && holder.security() == null) {
            holder.security(new ServletSecurityElement(security));
        }
        MultipartConfig multipart = type.getAnnotation(MultipartConfig.class);
        if (multipart != null && holder.multipart() == null) {
            holder.multipart(new MultipartConfigElement(multipart));
        }
        if (value(type, RUN_AS) instanceof String role && holder.runAs() == null) {
            holder.runAs(role);
        }
        if (value(type, DECLARE_ROLES) instanceof String[] names) {
            roles.declare(List.of(names));
        }
    }

    private static @Nullable Object value(Class<?> type, String annotationName) {
        for (Annotation annotation : type.getAnnotations()) {
            if (annotation.annotationType().getName().equals(annotationName)) {
                try {
                    return annotation.annotationType().getMethod("value").invoke(annotation);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalArgumentException("annotation " + annotationName + " cannot be read", e);
                }
            }
        }
        return null;
    }
}
