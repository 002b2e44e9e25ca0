package io.penstock.context;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A filter's registration as the application sees it. Thread: any. */
final class DynamicFilterRegistration extends DynamicRegistration implements FilterRegistration.Dynamic {
    private final FilterHolder holder;
    private final Filters filters;

    DynamicFilterRegistration(FilterHolder holder, Filters filters) {
        super(holder);
        this.holder = holder;
        this.filters = filters;
    }

    @Override
    public void addMappingForServletNames(
            @Nullable EnumSet<DispatcherType> types, boolean isMatchAfter, String @Nullable ... servletNames) {
        filters.mapServletNames(
                holder, orNone(types), position(isMatchAfter), Arguments.requiredItems(servletNames, "servlet names"));
    }

    @Override
    public Collection<String> getServletNameMappings() {
        return filters.servletNames(holder);
    }

    @Override
    public void addMappingForUrlPatterns(
            @Nullable EnumSet<DispatcherType> types, boolean isMatchAfter, String @Nullable ... urlPatterns) {
        filters.mapUrlPatterns(
                holder, orNone(types), position(isMatchAfter), Arguments.requiredItems(urlPatterns, "URL patterns"));
    }

    @Override
    public Collection<String> getUrlPatternMappings() {
        return filters.urlPatterns(holder);
    }

    @Override
    public void setAsyncSupported(boolean isAsyncSupported) {
        holder.asyncSupported(isAsyncSupported);
    }

    private static Filters.Position position(boolean isMatchAfter) {
        return isMatchAfter ? Filters.Position.AFTER : Filters.Position.BEFORE;
    }

    private static Set<DispatcherType> orNone(@Nullable EnumSet<DispatcherType> types) {
        return types == null ? Set.of() : types;
    }
}
