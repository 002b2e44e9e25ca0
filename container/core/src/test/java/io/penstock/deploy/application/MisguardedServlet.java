package io.penstock.deploy.application;

import jakarta.servlet.annotation.HttpConstraint;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;

/** A servlet with an invalid annotation, which denies all access and also allows the role {@code staff}. */
@WebServlet(name = "misguarded", urlPatterns = "/misguarded")
@ServletSecurity(@HttpConstraint(value = ServletSecurity.EmptyRoleSemantic.DENY, rolesAllowed = "staff"))
public class MisguardedServlet extends HttpServlet {}
