package io.penstock.deploy.application;

import jakarta.servlet.annotation.HttpConstraint;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;

/** For nobody and for staff: its annotation cannot be. */
@WebServlet(name = "misguarded", urlPatterns = "/misguarded")
@ServletSecurity(@HttpConstraint(value = ServletSecurity.EmptyRoleSemantic.DENY, rolesAllowed = "staff"))
public class MisguardedServlet extends HttpServlet {}
