package io.penstock.context;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletSecurityElement;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A servlet's registration as the application sees it. Thread: any. */
final class DynamicServletRegistration extends DynamicRegistration implements ServletRegistration.Dynamic {
    private final ServletHolder holder;
    private final Servlets servlets;
    private final SecuritySettings declared;

    DynamicServletRegistration(ServletHolder holder, Servlets servlets, SecuritySettings declared) {
        super(holder);
        this.holder = holder;
        this.servlets = servlets;
        this.declared = declared;
    }

    @Override
    public Set<String> addMapping(String @Nullable ... urlPatterns) {
        return servlets.map(holder, Arguments.requiredItems(urlPatterns, "URL patterns"));
    }

    @Override
    public Collection<String> getMappings() {
        return List.copyOf(holder.mappings());
    }

    @Override
    public @Nullable String getRunAsRole() {
        return holder.runAs();
    }

    @Override
    public void setRunAsRole(@Nullable String roleName) {
        holder.runAs(Arguments.required(roleName, "role name"));
    }

    @Override
    public void setLoadOnStartup(int loadOnStartup) {
        holder.loadOnStartup(loadOnStartup);
    }

    @Override
    public Set<String> setServletSecurity(@Nullable ServletSecurityElement constraint) {
        holder.security(Arguments.required(constraint, "constraint"));
        Set<String> unaffected = new LinkedHashSet<>(holder.mappings());
        unaffected.removeIf(pattern -> declared.constraints().stream()
                .flatMap(each -> each.resources().stream())
                .noneMatch(resource -> resource.patterns().contains(pattern)));
        return unaffected;
    }

    @Override
    public void setMultipartConfig(@Nullable MultipartConfigElement multipartConfig) {
        holder.multipart(Arguments.required(multipartConfig, "multipart configuration"));
    }

    @Override
    public void setAsyncSupported(boolean isAsyncSupported) {
        holder.asyncSupported(isAsyncSupported);
    }

    @Override
    public String toString() {
        return holder + " " + holder.mappings();
    }
}
